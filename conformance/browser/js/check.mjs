// Opens the pages of a site in Chromium, and prints one line of JSON for each
// check: {name, problems, notes}.
//
//   node check.mjs URL CHROMIUM [PICTURES]
//
// PICTURES is a directory for pictures of the page.
import { join } from 'node:path';
import axe from 'axe-core';
import { desk, launch, open, phone, sizes, smallPhone } from './browser.mjs';

const [base, executablePath, pictures] = process.argv.slice(2);
const site = (name) => `${base}/${name}/`;
const browser = await launch(executablePath);

// check runs body with a way to open pages, and with one to state what has to
// be.
async function check(name, body) {
  const problems = [];
  const notes = [];
  const opened = [];
  try {
    await body({
      open: async (site, options, prepare) => {
        const page = await open(browser, site, options, problems, prepare);
        opened.push(page);
        return page;
      },
      equal: (what, got, want) => {
        if (JSON.stringify(got) !== JSON.stringify(want)) {
          problems.push(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
        }
      },
      note: (text) => notes.push(text),
    });
  } catch (error) {
    problems.push(error.stack);
  }
  for (const page of opened) {
    await page.context().close();
  }
  console.log(JSON.stringify({ name, problems, notes }));
}

const shown = (page) => page.locator('.agent:visible h2').allInnerTexts();
const unfold = (page) => page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));

// violations are what axe-core finds, one line each.
async function violations(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary}`));
}

// tooWide is what stands out of the page on the right.
const tooWide = (page) => page.evaluate(() => {
  const width = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth > width ? [`page: ${document.documentElement.scrollWidth} px of ${width}`] : [];
  for (const e of document.querySelectorAll('body *:not(.unseen):not(bdi)')) {
    const box = e.getBoundingClientRect();
    if (box.width > 0 && box.right > width + 0.5 && !e.closest('.unseen')) {
      wide.push(`${e.tagName} ${e.className}: ${box.right} px of ${width}`);
    }
  }
  return wide.slice(0, 5);
});

for (const colorScheme of ['light', 'dark']) {
  await check(colorScheme, async ({ open, equal }) => {
    const page = await open(site('acme'), { ...desk, colorScheme });
    equal('dark page', await page.evaluate(() => {
      const [r] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g);
      return Number(r) < 128;
    }), colorScheme === 'dark');
    equal('titles', [await page.title(), await page.locator('h1').innerText()], ['Agents of Acme Inc.', 'Agents of Acme Inc.']);
    equal('agents', await shown(page), ['Billing', 'Code Review', 'Kundendienst – Support']);
    equal('violations', await violations(page), []);
    if (pictures) await page.screenshot({ path: join(pictures, `page/page-${colorScheme}.png`) });
  });
}

for (const [name, size] of Object.entries(sizes)) {
  await check(name, async ({ open, equal }) => {
    for (const of of ['one', 'acme', 'hostile', 'few']) {
      const page = await open(site(of), size);
      equal(`${of}: violations`, await violations(page), []);
      equal(`${of}: too wide`, await tooWide(page), []);
      await unfold(page);
      equal(`${of}: violations, unfolded`, await violations(page), []);
      equal(`${of}: too wide, unfolded`, await tooWide(page), []);
    }
  });
}

await check('search', async ({ open, equal }) => {
  const page = await open(site('sixty'), desk);
  for (const [query, want] of Object.entries({ 'quay-42': 1, 'QUAY-42 HARBOUR': 1, 'hárbour': 60, 'quay-42 zeppelin': 0, '.*': 0 })) {
    await page.fill('#query', query);
    equal(`found by ${query}`, (await shown(page)).length, want);
    equal(`announced for ${query}`, await page.locator('#result').innerText(), `${want} of 60 agents match`);
  }
  await page.fill('#query', '');
  equal('without a query', [(await shown(page)).length, await page.locator('#result').innerText()], [60, '']);
  equal('violations', await violations(page), []);
  const few = await open(site('few'), desk);
  equal('search over ten skills', await few.locator('#query').count(), 0);
  const one = await open(site('large'), desk);
  await one.fill('#query', 'task-11');
  equal('skills', await one.locator('.skill:visible').count(), 1);
  equal('announced skills', await one.locator('#result').innerText(), '1 of 12 skills match');
});

await check('one agent', async ({ open, equal }) => {
  const page = await open(site('one'), phone);
  equal('title', await page.title(), 'Billing');
  equal('folded', await page.locator('details.agent').count(), 0);
});

await check('copy', async ({ open, equal }) => {
  const page = await open(site('one'), { ...desk, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('.copy').first().click();
  await page.locator('.copy:has-text("Copied")').waitFor();
  equal('copied', await page.evaluate(() => navigator.clipboard.readText()), await page.locator('dd > code').first().innerText());
});

await check('long descriptions', async ({ open, equal }) => {
  const page = await open(site('hostile'), desk);
  await unfold(page);
  const long = page.locator('.skill .long').first();
  const height = () => long.locator('p').evaluate((p) => p.offsetHeight);
  const clamped = await height();
  await long.locator('label').click();
  equal('unfolded', await height() > clamped, true);
  await long.locator('input').press('Space');
  equal('clamped again', await height(), clamped);
});

await check('keyboard', async ({ open, equal }) => {
  const page = await open(site('sixty'), desk);
  const first = page.locator('.agent > summary').first();
  await first.focus();
  await page.keyboard.press('Enter');
  equal('opened', await page.locator('.agent[open]').count(), 1);
  await page.keyboard.press('Tab');
  equal('outline', await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid');
});

await check('without scripts', async ({ open, equal }) => {
  const page = await open(site('sixty'), { ...desk, javaScriptEnabled: false });
  equal('agents', (await shown(page)).length, 60);
  equal('what only scripts serve', await page.locator('#search:visible, .copy:visible').count(), 0);
  await page.locator('.agent > summary').first().click();
  equal('opened', await page.locator('.agent').first().locator('.skills').isVisible(), true);
});

// What cards say is text: open complains about dialogs and requests.
await check('hostile cards', async ({ open, equal }) => {
  const page = await open(site('hostile'), desk);
  await unfold(page);
  equal('links', await page.locator('a').evaluateAll((all) => all.map((a) => a.protocol).filter((p) => !/^https?:$/.test(p))), []);
  equal('elements of cards', await page.locator('img, iframe, object, form, script:not(body > script)').count(), 0);
  equal('violations', await violations(page), []);
});

await check('a thousand agents', async ({ open, equal, note }) => {
  const page = await open(site('many'), phone);
  note(`loaded in ${await page.evaluate(() => Math.round(performance.timing.loadEventEnd - performance.timing.navigationStart))} ms`);
  for (const [query, want] of Object.entries({ zeppelin: 0, 'quay-42': 10, 'office-421': 1 })) {
    await page.fill('#query', query);
    equal(`found by ${query}`, (await shown(page)).length, want);
  }
});

await browser.close();
