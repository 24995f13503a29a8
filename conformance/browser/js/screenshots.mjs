// Takes the pictures of a page that the documentation shows.
//
//   node screenshots.mjs PAGE DIR CHROMIUM
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { desk, launch, open, phone } from './browser.mjs';

const [file, dir, executablePath] = process.argv.slice(2);
await mkdir(dir, { recursive: true });
const browser = await launch(executablePath);
for (const [device, options] of Object.entries({ desk, phone })) {
  for (const colorScheme of ['light', 'dark']) {
    const problems = [];
    const page = await open(browser, pathToFileURL(resolve(file)).href, { ...options, deviceScaleFactor: device === 'phone' ? 1.5 : 1, colorScheme }, problems);
    if (device === 'desk') {
      await page.locator('.agent > summary').first().click();
      await page.mouse.move(0, 0);
    }
    await page.screenshot({ path: join(dir, `catalog-${device}-${colorScheme}.png`) });
    if (problems.length > 0) {
      throw new Error(problems.join('\n'));
    }
    await page.context().close();
  }
}
await browser.close();
