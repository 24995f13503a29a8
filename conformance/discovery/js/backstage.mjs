// Reads the entities in YAML files as Backstage does, and prints their kinds and
// names. Any that it refuses ends the run.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseAllDocuments } from 'yaml';

const require = createRequire(import.meta.url);
const { EntityPolicies, FieldFormatEntityPolicy, SchemaValidEntityPolicy, apiEntityV1alpha1Validator } = require('@backstage/catalog-model');
const { aiResourceEntityV1alpha1Validator } = require('@backstage/catalog-model/alpha');

const kinds = { AiResource: aiResourceEntityV1alpha1Validator, API: apiEntityV1alpha1Validator };
const policy = EntityPolicies.allOf([new SchemaValidEntityPolicy(), new FieldFormatEntityPolicy()]);

const files = process.argv.slice(2).map((name) => readFileSync(name, 'utf8'));
for (const document of files.flatMap((text) => parseAllDocuments(text))) {
  if (document.errors.length > 0) {
    throw document.errors[0];
  }
  const entity = document.toJS();
  await policy.enforce(entity);
  if (!(await kinds[entity.kind].check(entity))) {
    throw new Error(`${entity.kind} ${entity.metadata.name} is not of its kind`);
  }
  if (entity.kind === 'API') {
    JSON.parse(entity.spec.definition);
  }
  console.log(entity.kind, entity.metadata.name);
}
