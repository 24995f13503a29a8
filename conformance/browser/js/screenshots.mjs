// Takes the pictures of pages that the documentation shows.
//
//   node screenshots.mjs SITES DIR CHROMIUM
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { desk, launch, open, phone } from './browser.mjs';

const [sites, dir, executablePath] = process.argv.slice(2);
await mkdir(dir, { recursive: true });
const browser = await launch(executablePath);

const devices = {
  desktop: desk,
  phone: { ...phone, deviceScaleFactor: 1.5 },
};

// take writes page-AGENTS-DEVICE-SCHEME.png.
async function take(agents, device, colorScheme, options = {}, act = async () => {}) {
  const problems = [];
  const url = pathToFileURL(resolve(sites, agents, 'index.html')).href;
  const page = await open(browser, url, { ...devices[device], ...options, colorScheme }, problems);
  await act(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(dir, `page-${agents}-${device}-${colorScheme}.png`) });
  if (problems.length > 0) {
    throw new Error(problems.join('\n'));
  }
  await page.context().close();
}

const openFirst = (page) => page.locator('.agent > summary').first().click();
const search = (words) => (page) => page.getByRole('searchbox').fill(words);

await take('1', 'desktop', 'light');
await take('1', 'phone', 'light');
for (const scheme of ['light', 'dark']) {
  await take('3', 'desktop', scheme, {}, openFirst);
  await take('3', 'phone', scheme);
}
await take('60', 'desktop', 'light', { viewport: { width: 1280, height: 1600 } });
await take('60', 'phone', 'dark');
await take('1000', 'desktop', 'dark', {}, search('invoice oslo'));
await take('1000', 'phone', 'light');
await browser.close();
