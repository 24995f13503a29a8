// A page in Chromium, and everything about it that must not happen.
import { chromium } from 'playwright-core';

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

// patience is how many milliseconds a busy machine may take for anything.
const patience = 30_000;

export const launch = (executablePath) => chromium.launch({ executablePath, args: flags, timeout: patience });

export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
export const smallPhone = { ...phone, viewport: { width: 320, height: 568 } };
export const desk = { viewport: { width: 1280, height: 900 } };
export const sizes = {
  'small phone': smallPhone, phone, tablet: { ...phone, viewport: { width: 768, height: 1024 } }, desk,
  'wide screen': { viewport: { width: 1920, height: 1080 } },
};

// open returns a page at the URL. Complaints of the browser, dialogs and
// requests for anything but the page become problems.
export async function open(browser, url, options, problems, prepare) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on('console', (m) => problems.push(`console: ${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => problems.push(`error: ${e.message}`));
  page.on('dialog', (d) => {
    problems.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  page.on('request', (r) => {
    if (r.url().split('#')[0] !== url.split('#')[0]) {
      problems.push(`request: ${r.url()}`);
    }
  });
  if (prepare) {
    await page.addInitScript(prepare);
  }
  await page.goto(url);
  return page;
}
