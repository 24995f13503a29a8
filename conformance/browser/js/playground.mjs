// Opens the playground in Chromium, and prints one line of JSON for each check:
// {name, problems, notes}.
//
//   node playground.mjs URL CHROMIUM CASES [PICTURES]
//
// CASES is a file with what the command does on a machine: [{name, files, commands,
// results, left}], files in base64. PICTURES is a directory for pictures of the walk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import axe from 'axe-core';
import { desk, launch, phone } from './browser.mjs';

const [url, executablePath, cases, pictures] = process.argv.slice(2);
const wanted = JSON.parse(readFileSync(cases, 'utf8'));
const examples = Object.fromEntries(wanted.map((c) => [c.name, c.files]));
const browser = await launch(executablePath);
const patience = 180_000;
const bytes = (files) => Object.fromEntries(Object.entries(files).map(([n, d]) => [n, Buffer.from(d, 'base64')]));

async function check(name, body, options = desk) {
  const problems = [];
  const notes = [];
  const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on('console', (m) => problems.push(`console: ${m.text()}`));
  page.on('pageerror', (e) => problems.push(`error: ${e.message}`));
  page.on('request', (r) => {
    if (!r.url().startsWith(url) && !r.url().startsWith('data:')) problems.push(`request: ${r.url()}`);
  });
  const equal = (what, got, want) => {
    if (JSON.stringify(got) !== JSON.stringify(want)) problems.push(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
  };
  try {
    await page.goto(url);
    await page.waitForSelector('html[data-ready]');
    await body({ page, context, equal, note: (text) => notes.push(text) });
  } catch (error) {
    problems.push(error.stack);
  }
  await context.close();
  console.log(JSON.stringify({ name, problems, notes }));
}

const editor = (page) => page.locator('#editor :is(textarea, .cm-content):visible');
const text = (page) => page.evaluate(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').cmTile?.view?.state.doc.toString()
  ?? [...document.getElementById('editor').shadowRoot.querySelectorAll('.cm-line')].map((l) => l.textContent).join('\n'));
const rules = (page) => page.locator('#findings .rule').allInnerTexts();
const settled = (page) => page.waitForFunction(() => document.getElementById('status').textContent === '' && document.querySelector('#findings p') !== null);
const rule = (page, id) => page.locator('#findings li').filter({ has: page.locator(`.rule:text-is("${id}")`) });

// paste puts a text into the editor, as people do.
async function paste(page, pasted) {
  await page.evaluate((t) => navigator.clipboard.writeText(t), pasted);
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}

// drop drops files on the page: browsers make entries of real drags only, so the test
// gives the page entries of its own.
const drop = (page, files, folder) => page.evaluate(({ files, folder }) => {
  const entryOf = (name, tree) => (typeof tree === 'string'
    ? { name, isFile: true, isDirectory: false, file: (done) => done(new File([Uint8Array.from(atob(tree), (c) => c.charCodeAt(0))], name)) }
    : {
      name, isFile: false, isDirectory: true,
      createReader: () => {
        let left = Object.entries(tree).map(([n, t]) => entryOf(n, t));
        return { readEntries: (done) => { done(left); left = []; } };
      },
    });
  const tree = {};
  for (const [path, data] of Object.entries(files)) {
    const parts = path.split('/');
    let at = tree;
    for (const part of parts.slice(0, -1)) at = at[part] ??= {};
    at[parts.at(-1)] = data;
  }
  const entries = folder ? [entryOf(folder, tree)] : Object.entries(tree).map(([n, t]) => entryOf(n, t));
  const event = new Event('drop', { cancelable: true });
  event.dataTransfer = { items: entries.map((e) => ({ webkitGetAsEntry: () => e })) };
  document.dispatchEvent(event);
}, { files, folder });

const picture = async (page, name) => {
  if (pictures) await page.screenshot({ path: join(pictures, `playground/playground-${name}.png`) });
};

await check('walk: drop a folder, read a finding, copy the card', async ({ page, equal }) => {
  const files = { ...examples['code-review'] };
  const name = Object.keys(files).find((n) => n.endsWith('SKILL.md')); // a colon that YAML takes for another key
  const skill = Buffer.from(files[name], 'base64').toString().replace(/^description: .*\n(  .*\n)*/m, 'description: Note: finds what others overlook.\n');
  files[name] = Buffer.from(skill).toString('base64');
  await drop(page, files, 'code-review');
  await page.locator('#task-make[aria-selected=true]').waitFor();
  await page.waitForFunction(() => document.getElementById('card-text').textContent.startsWith('{'));
  equal('files', await page.locator('#tree button').allInnerTexts(), Object.keys(files).sort().map((n) => n.split('/').at(-1)));
  await page.locator('#tree .found').first().click();
  equal('opened', await page.locator('#name').innerText(), name);
  await picture(page, 'folder');
  await page.locator('#copy-card').click();
  await page.waitForFunction(() => document.getElementById('said').textContent === 'Copied the card.');
  const card = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  await page.locator('#view-findings').click();
  await rule(page, 'source-yaml-repaired').waitFor();
  equal('copied card', card.skills.filter((s) => s.description === 'Note: finds what others overlook.').length, 1);
});

await check('paste, convert and share', async ({ page, context, equal }) => {
  equal('before there is a card', [await page.locator('#findings').innerText(), await page.locator('#view-findings').innerText()], ['', 'Findings']);
  await page.click('#try');
  await settled(page);
  equal('found', (await rules(page)).includes('interface-binding-unknown'), true);
  equal('the worst first', await page.locator('#findings > :is(.verdict, .offer, ol, details)').evaluateAll((all) => all.map((e) => e.className || e.tagName)), ['verdict warning', 'offer', 'OL', 'DETAILS']);
  equal('page of a rule', await page.locator('a.rule').first().getAttribute('href'), 'https://github.com/OWNER/cardwright/blob/HEAD/docs/rules.md#interface-placeholder');
  equal('hints for a command line', (await page.locator('.hint').allTextContents()).filter((t) => /cardwright|--/.test(t)), []);
  await picture(page, 'card');
  await page.locator('.offer button').click();
  await page.waitForFunction(() => document.getElementById('card-text').textContent.includes('"JSONRPC"'));
  await page.locator('#keep-card').click();
  await settled(page);
  equal('converted', (await rules(page)).includes('interface-binding-unknown'), false);
  const card = JSON.parse(await text(page));
  card.name = 'Pasted';
  await paste(page, JSON.stringify(card, null, 2));
  await page.waitForTimeout(500);
  await settled(page);
  await page.locator('#view-card').click();
  await page.selectOption('#version', '0.3');
  await page.waitForFunction(() => document.getElementById('card-text').textContent.includes('"protocolVersion": "0.3.0"'));
  equal('command', await page.locator('#command').innerText(), 'cardwright convert agent-card.json --to 0.3');
  await page.locator('#view-page').click();
  await page.frameLocator('#page').locator('h1').first().waitFor();
  const before = await text(page);
  await page.click('#share');
  await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('Copied the link'));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await context.newPage();
  await other.goto(link);
  await settled(other);
  equal('shared', await text(other), before);
});

await check('compare two cards', async ({ page, equal }) => {
  await page.click('#task-compare');
  await page.click('#example');
  await settled(page);
  equal('each change once', await page.locator('#findings li').evaluateAll((all) => all.map((e) => e.className)), ['breaking', 'breaking', 'cosmetic']);
  equal('old before new', await page.locator('.caption').allInnerTexts(), ['Old card', 'New card']);
  const [older, newer] = await Promise.all(['#editor', '#editor-new'].map((id) => page.locator(id).boundingBox()));
  equal('side by side', [older.y === newer.y, older.x + older.width <= newer.x], [true, true]);
  await picture(page, 'compare');
});

await check('signatures with a pasted key set', async ({ page, equal }) => {
  const signed = bytes(examples['signed card']);
  await paste(page, signed['agent-card.json'].toString());
  await settled(page);
  await page.locator('#view-signatures').click();
  await page.fill('#keys', signed['jwks.json'].toString());
  await page.waitForFunction(() => /good signature/.test(document.getElementById('verdict').textContent));
  await page.fill('#keys', '{"keys": []}');
  await page.waitForFunction(() => !/good signature/.test(document.getElementById('verdict').textContent));
  equal('command', await page.locator('#command').innerText(), 'cardwright verify agent-card.json --jwks jwks.json');
});

await check('ten broken inputs', async ({ page, equal }) => {
  const broken = ['{', '[]', 'null', '"card"', '{"name": "\ud800"}', '\u0000\u0001', '{"a":1}{"a":2}', `${'['.repeat(5000)}`,
    '{"name": "A", "name": "B", "skills": {"__proto__": []}}', '<script>alert(1)</script>'];
  for (const input of broken) {
    await paste(page, input);
    await page.waitForTimeout(400);
    await settled(page);
    equal(`findings for ${input.slice(0, 20)}`, await page.locator('#findings li.error').count() > 0, true);
  }
  await drop(page, { 'cardwright.yaml': Buffer.from('a: [').toString('base64') }, 'broken');
  await page.locator('#task-make[aria-selected=true]').waitFor();
  await settled(page);
  equal('a broken configuration', await page.locator('#findings li.error').count() > 0, true);
});

await check('a card of 4 MB', async ({ page, equal, note }) => {
  const skills = Array.from({ length: 12_000 }, (_, i) => ({ id: `skill-${i}`, name: `Skill ${i}`, description: `${'Does what it says. '.repeat(14)}${i}`, tags: ['a'] }));
  const large = JSON.stringify({ name: 'Large', description: 'Has many skills.', version: '1.0.0', skills }, null, 1);
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await drop(page, { 'large.json': Buffer.from(large).toString('base64') });
  await page.waitForFunction(() => document.getElementById('status').textContent !== 'Reading…', undefined, { timeout: patience });
  note(`${large.length} bytes; the longest pause of the page was ${Math.round(await page.evaluate(() => window.longest))} ms`);
  equal('the page answers', await page.locator('#task-compare').isEnabled(), true);
});

await check('works without a network after the first visit', async ({ page, context, equal }) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await page.click('#example');
  await settled(page);
  equal('findings', await page.locator('#findings li').count() > 0, true);
});

// No color depends on the device, and no size on the colors.
for (const [device, options] of Object.entries({ phone: { ...phone, colorScheme: 'dark' }, desk: { ...desk, colorScheme: 'light' } })) {
  await check(`${device}, ${options.colorScheme}: reachable for everybody`, async ({ page, equal }) => {
    await page.evaluate(axe.source);
    for (const task of ['check', 'compare', 'make']) {
      await page.click(`#task-${task}`);
      await page.click('#example');
      await settled(page);
      const { violations } = await page.evaluate(() => window.axe.run());
      equal(`${task}: violations`, violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`), []);
      equal(`${task}: no text beside the window`, await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), true);
    }
    await page.click('#task-check');
    await page.locator('#task-check').focus();
    await page.keyboard.press('ArrowRight');
    equal('keyboard', await page.locator('#task-compare').getAttribute('aria-selected'), 'true');
  }, options);
}

// same compares what the page's program did with what the command does.
function same(got, want, equal) {
  want.results.forEach((result, i) => equal(`${want.name}: ${want.commands[i].join(' ')}`, got.results[i], result));
  equal(`${want.name}: files`, Object.keys(got.files).sort(), Object.keys(want.left).sort());
  for (const [name, data] of Object.entries(want.left)) equal(`${want.name}: ${name}`, got.files[name], data);
}

await check('the same bytes as the command, in Chromium', async ({ page, equal, note }) => {
  for (const want of wanted) {
    const got = await page.evaluate(async ({ files, commands }) => {
      window.own ??= new Worker('worker.js', { type: 'module' });
      const bytesOf = (d) => Uint8Array.from(atob(d), (c) => c.charCodeAt(0));
      const reply = await new Promise((done) => {
        window.own.onmessage = ({ data }) => data !== 'ready' && done(data);
        window.own.postMessage({ files: Object.fromEntries(Object.entries(files).map(([n, d]) => [n, bytesOf(d)])), commands });
      });
      const plain = (d) => btoa(Array.from(d, (b) => String.fromCharCode(b)).join(''));
      return { results: reply.results, files: Object.fromEntries(Object.entries(reply.files ?? {}).map(([n, d]) => [n, plain(d)])) };
    }, want);
    same(got, want, equal);
  }
  note(`${wanted.length} projects, ${wanted.reduce((n, c) => n + c.commands.length, 0)} commands`);
});

await browser.close();

await (async () => {
  const problems = [];
  const equal = (what, got, want) => {
    if (JSON.stringify(got) !== JSON.stringify(want)) problems.push(`${what}: ${JSON.stringify(got)?.slice(0, 400)}, want ${JSON.stringify(want).slice(0, 400)}`);
  };
  const node = { process: globalThis.process };
  const fetched = async (name) => Buffer.from(await (await fetch(new URL(name, url))).arrayBuffer());
  const { run } = await import(`data:text/javascript;base64,${(await fetched('program.js')).toString('base64')}`);
  const module = await WebAssembly.compile(brotliDecompressSync(await fetched('cardwright.bin')));
  // The program has done all of them in Chromium, whose engine is that of Node: here it is about what lies around it.
  const few = wanted.filter((c) => ['capability-packs', 'signed card'].includes(c.name));
  equal('projects', few.length, 2);
  for (const want of few) {
    const reply = await run(module, { files: bytes(want.files), commands: want.commands });
    Object.assign(globalThis, node);
    same({ results: reply.results, files: Object.fromEntries(Object.entries(reply.files).map(([n, d]) => [n, Buffer.from(d).toString('base64')])) }, want, equal);
  }
  console.log(JSON.stringify({ name: 'the same bytes as the command, in Node', problems, notes: [] }));
})();
