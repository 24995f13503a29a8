// Validates pages by the rules of the HTML standard, but for two that are about style.
// Prints a line for each defect.
import { readFileSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: { 'doctype-style': 'off', 'aria-label-misuse': 'off' },
});
for (const name of process.argv.slice(2)) {
  const { results } = await validator.validateString(readFileSync(name, 'utf8'));
  for (const { line, message, ruleId } of results.flatMap((result) => result.messages)) {
    console.log(`${name}:${line}: ${message} [${ruleId}]`);
  }
}
