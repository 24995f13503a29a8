// Measures pages with Lighthouse in Chromium, and prints one line of JSON for each:
// {name, problems, notes}.
//
//   node lighthouse.mjs CHROMIUM URL...
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const [chromePath, ...urls] = process.argv.slice(2);
const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
for (const url of urls) {
  const { lhr } = await lighthouse(url, {
    port: chrome.port, output: 'json', onlyCategories: ['accessibility', 'best-practices', 'seo'],
  });
  const problems = [];
  for (const { id, score, auditRefs } of Object.values(lhr.categories)) {
    if (score === 1) continue;
    const lost = auditRefs.filter((a) => a.weight > 0 && lhr.audits[a.id].score !== null && lhr.audits[a.id].score < 1);
    problems.push(`${id}: ${100 * score}, for ${lost.map((a) => `${a.id}: ${lhr.audits[a.id].title}`).join('; ')}`);
  }
  console.log(JSON.stringify({ name: new URL(url).pathname, problems, notes: [] }));
}
chrome.kill();
