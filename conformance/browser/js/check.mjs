// Opens the pages of a site in Chromium, and prints one line of JSON for each
// check: {name, problems, notes}.
//
//   node check.mjs URL CHROMIUM
import axe from 'axe-core';
import { desk, launch, open, phone, smallPhone } from './browser.mjs';

const [base, executablePath] = process.argv.slice(2);
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
const result = (page) => page.locator('#result').innerText();
const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const pressed = (page) => page.locator('button[data-tag][aria-pressed=true]:visible bdi').allInnerTexts();
// lasting has the page keep what it shows for two seconds, however long it takes to look.
const lasting = () => { window.setTimeout = () => 0; };
const row = (page, name) => page.locator(`.agent > summary:has(h2 bdi:text-is("${name}"))`);
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

// No color depends on the device, and no size on the colors.
for (const [device, options] of Object.entries({ phone: { ...phone, colorScheme: 'light' }, desk: { ...desk, colorScheme: 'dark' } })) {
  const { colorScheme } = options;
  await check(`${device}, ${colorScheme}`, async ({ open, equal }) => {
    const page = await open(site('acme'), options);
    equal('dark page', await page.evaluate(() => {
      const [r] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g);
      return Number(r) < 128;
    }), colorScheme === 'dark');
    equal('agents', await shown(page), ['Billing', 'Code Review', 'Kundendienst – Support']);
    equal('violations', await violations(page), []);
    await page.fill('#query', 'invoice');
    await row(page, 'Billing').click();
    await frame(page);
    equal('violations of a filtered page', await violations(page), []);
    await unfold(page);
    equal('violations of an unfolded page', await violations(page), []);
    equal('too wide', await tooWide(page), []);
  });
}

await check('narrow phone', async ({ open, equal }) => {
  for (const name of ['acme', 'hostile']) {
    const page = await open(site(name), smallPhone);
    equal(`too wide on ${name}`, await tooWide(page), []);
    await unfold(page);
    equal(`too wide on ${name}, unfolded`, await tooWide(page), []);
  }
});

await check('search', async ({ open, equal }) => {
  const page = await open(site('acme'), desk);
  for (const [query, want] of Object.entries({
    'invoice': ['Billing', 'Code Review'],
    'INVOICE vat': ['Billing'],
    'reponses FRANCAIS': ['Kundendienst – Support'],
    'x-acme-key': ['Code Review'],
    'grpc.acme.example': ['Code Review'],
    'acme': ['Billing', 'Code Review', 'Kundendienst – Support'],
    'invoice bestellungen': [],
    '.*': [],
  })) {
    await page.fill('#query', query);
    await frame(page);
    equal(`found by ${query}`, await shown(page), want);
    equal(`announced for ${query}`, await result(page), `${want.length || 'None'} of 3 agents`);
  }
  await page.click('#clear');
  equal('after Show all', [(await shown(page)).length, await result(page)], [3, 'All 3 agents']);
  equal('focus after Show all', await page.evaluate(() => document.activeElement.id), 'query');
});

await check('overview', async ({ open, equal, note }) => {
  const page = await open(site('sixty'), { viewport: { width: 1280, height: 1600 } });
  const bottom = await page.locator('.agent').last().evaluate((e) => e.getBoundingClientRect().bottom);
  note(`the sixtieth row ends at ${bottom} px`);
  equal('sixty rows fit', bottom <= 1600, true);
  equal('order', (await shown(page)).slice(0, 11).at(-1), 'Harbour office 10');
  equal('a row', await row(page, 'Harbour office 10').locator('.cell').allTextContents(), ['version 1.10.0', 'A2A 1.0', '10 skills', 'owner team-3']);
  equal('violations', await violations(page), []);
  equal('folded', await page.locator('article:visible').count(), 0);
  await row(page, 'Harbour office 10').click();
  equal('opened', await page.locator('article:visible').count(), 1);

  const phoned = await open(site('sixty'), phone);
  equal('a row on a phone', (await row(phoned, 'Harbour office 10').innerText()).includes('version 1.10.0'), true);
  equal('violations on a phone', await violations(phoned), []);
});

await check('deep link', async ({ open, equal }) => {
  const page = await open(`${site('sixty')}#agent-office-42`, desk);
  const article = page.locator('article:visible');
  equal('opened', await article.evaluateAll((all) => all.map((a) => a.id)), ['agent-office-42']);
  await page.waitForFunction(() => document.querySelector('#agent-office-42').getBoundingClientRect().top < innerHeight);
  await page.evaluate(() => { location.hash = 'agent-office-3'; });
  await page.locator('#agent-office-3:visible').waitFor();

  const still = await open(`${site('sixty')}#agent-office-42`, { ...desk, javaScriptEnabled: false });
  equal('opened without scripts', await still.locator('#agent-office-42').isVisible(), true);
});

await check('one agent', async ({ open, equal }) => {
  const page = await open(site('one'), desk, lasting);
  equal('opened', await page.locator('article:visible').count(), 1);
  equal('search and filter', await page.locator('#query, .filter').count(), 0);
  await page.locator('.copy').first().click();
  await page.locator('.copy:has-text("Copied"), .copy:has-text("Selected")').waitFor();
  for (const colorScheme of ['light', 'dark']) {
    const colored = await open(site('one'), { ...phone, colorScheme });
    equal(`violations in ${colorScheme}`, await violations(colored), []);
    equal(`too wide in ${colorScheme}`, await tooWide(colored), []);
  }
});

await check('requests of audits', async ({ open, equal }) => {
  const page = await open(site('acme'), desk);
  equal('same host', await page.evaluate(async () => (await fetch(location.href.split("#")[0])).status), 200);
});

await check('tags', async ({ open, equal }) => {
  const page = await open(site('sixty'), phone);
  const tag = (name) => page.locator(`.filter button:has(bdi:text-is("${name}"))`);
  await tag('district-1').tap();
  await frame(page);
  equal('tagged district-1', [(await shown(page)).length, await pressed(page), await result(page)], [5, ['district-1'], '5 of 60 agents tagged district-1']);
  await tag('district-2').tap();
  await frame(page);
  equal('tagged both', [await shown(page), await result(page)], [[], 'None of 60 agents tagged district-1, district-2']);
  equal('told in the place of agents', await page.locator('#none').isVisible(), true);
  await tag('district-1').tap();
  await frame(page);
  equal('tagged district-2', [(await shown(page)).length, await pressed(page)], [5, ['district-2']]);
  equal('no longer told', await page.locator('#none').isVisible(), false);
});

await check('keyboard', async ({ open, equal }) => {
  const page = await open(site('sixty'), desk);
  const focused = () => page.evaluate(() => {
    const e = document.activeElement;
    return e.id || e.innerText.split(/\s{2,}|\n| \d+ agent/)[0];
  });
  await page.keyboard.press('Tab');
  equal('first stop', await focused(), 'Skip to the agents');
  equal('skip link in sight', await page.locator('.skip').evaluate((e) => Math.round(e.getBoundingClientRect().top)) >= 0, true);
  await page.keyboard.press('Tab');
  equal('second stop', await focused(), 'query');
  equal('outline', await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid');
  await page.keyboard.type('quay-42');
  await frame(page);
  equal('typed', await shown(page), ['Harbour office 42']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await frame(page);
  equal('first tag', await pressed(page), ['district-0']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  equal('before the search', await focused(), 'clear');
  await page.keyboard.press('Enter');
  equal('after Show all', [await pressed(page), (await shown(page)).length, await focused()], [[], 60, 'query']);
  await row(page, 'Harbour office 0').focus();
  await page.keyboard.press('Enter');
  equal('opened', await page.locator('#agent-office-0').isVisible(), true);
});

await check('skip link', async ({ open, equal }) => {
  const page = await open(site('acme'), desk);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  equal('behind the skip link', await page.evaluate(() => document.activeElement.querySelector('h2')?.innerText), 'Billing');
});

await check('copy', async ({ open, equal }) => {
  const url = `${site('acme')}billing/.well-known/agent-card.json`;
  const page = await open(site('acme'), { ...desk, permissions: ['clipboard-read', 'clipboard-write'] }, lasting);
  await row(page, 'Billing').click();
  await page.locator('.copy').first().click();
  await page.locator('.copy:has-text("Copied")').waitFor();
  equal('clipboard', await page.evaluate(() => navigator.clipboard.readText()), url);
  equal('announced', await page.locator('#copied').innerText(), `Copied ${url}`);

  // Over plain http a page has no clipboard.
  const refused = await open(site('acme'), desk, () => {
    window.setTimeout = () => 0;
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await row(refused, 'Billing').click();
  await refused.locator('.copy').first().click();
  await refused.locator('.copy:has-text("Selected")').waitFor();
  equal('selected', await refused.evaluate(() => getSelection().toString()), 'billing/.well-known/agent-card.json');
});

await check('without scripts', async ({ open, equal }) => {
  const page = await open(site('acme'), { ...phone, javaScriptEnabled: false });
  equal('agents', (await shown(page)).length, 3);
  for (const name of await shown(page)) {
    await row(page, name).click();
  }
  equal('skills', await page.locator('.skill:visible').count(), 6);
  for (const control of ['#query', 'button[data-tag]', '.copy', '#clear']) {
    equal(control, await page.locator(`${control}:visible`).count(), 0);
  }
});

await check('hostile cards', async ({ open, equal }) => {
  const page = await open(site('hostile'), desk);
  equal('title', await page.title(), '<script>alert(0)</script>');
  equal('elements', await page.locator('main :is(script, img, style, iframe, object, embed, svg, form)').count(), 0);
  equal('links', await page.locator('main a').evaluateAll((all) => all.map((a) => a.protocol).filter((p) => !/^https?:$/.test(p))), []);
  await unfold(page);
  const text = await page.locator('.agent:has(#agent-hostile)').innerText();
  for (const want of ['</h2><script>alert(1)</script>', '</style><img src=x onerror=alert(2)>', 'javascript:alert(3)', '⟨U+202E⟩', '⟨U+0007⟩', '👩‍👩‍👧', 'نص عربي']) {
    equal(`shows ${want}`, text.includes(want), true);
  }
  equal('agents', await page.locator('.agent').count(), 3);
  equal('violations', await violations(page), []);
  await page.fill('#query', 'desrever');
  await frame(page);
  equal('result', await result(page), '1 of 3 agents');
});

await check('paper', async ({ open, equal }) => {
  const page = await open(site('acme'), desk);
  await page.emulateMedia({ media: 'print' });
  for (const control of ['#query', '.copy', '.skip']) {
    equal(control, await page.locator(`${control}:visible`).count(), 0);
  }
  equal('agents', (await shown(page)).length, 3);
  equal('skills', await page.locator('.skill:visible').count(), 6);
});

await check('a thousand agents', async ({ open, equal, note }) => {
  const page = await open(site('many'), desk);
  const times = await page.evaluate(() => {
    const [t] = performance.getEntriesByType('navigation');
    const [, paint] = performance.getEntriesByType('paint');
    return { received: t.responseEnd, painted: paint?.startTime, interactive: t.domInteractive, loaded: t.loadEventEnd };
  });
  note(`${(await page.content()).length} characters; ${Object.entries(times).map(([what, ms]) => `${what} after ${Math.round(ms)} ms`).join(', ')}`);
  // Each letter is typed when the page has been drawn with the one before.
  await page.focus('#query');
  const frames = [];
  for (const letter of 'office 999') {
    const before = Date.now();
    await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    await frame(page);
    frames.push(Date.now() - before);
  }
  note(`from each key to the second frame behind it: ${frames.join(', ')} ms`);
  equal('result', [await shown(page), await result(page)], [['Harbour office 999'], '1 of 1,000 agents']);
});

await browser.close();
