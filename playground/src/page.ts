// The page: what is open, what is asked of the program, and what it answers.
import { Editor } from './editor';
import type { Files, Reply, Request } from './program';
import { load, save } from './share';
import { card, config, keySet, previewOf, reportOf, tasks, type Change, type Finding, type Report, type View } from './tasks';

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
const patience = 20_000; // milliseconds that a run may take
const most = { files: 2000, bytes: 16 << 20, shown: 300, unfolded: 40 };
const titles: Record<View, string> = { findings: 'Findings', card: 'Card', signatures: 'Signatures', page: 'Page' };

let task = 'check';
let view: View = 'findings';
let open = card;
let files: Files = {};
let report: Report = { diagnostics: [] };

// The second editor is for the new one of two cards.
const [editor, second] = ([['editor', 'field', () => open], ['editor-new', 'field-new', () => 'new.json']] as const).map(
  ([host, field, name]) => new Editor(byId(host), byId(field), (text) => {
    files[name()] = encoder.encode(text);
    later();
  }),
);

// The worker answers one request at a time. What is asked meanwhile waits, and only the
// newest of it. A run that takes too long ends with its worker.
let worker: Worker;
let asked: { request: Request; answer: (r: Reply | { fault: string }) => void } | undefined;
let waiting: typeof asked;
let clock = 0;

function start() {
  worker = new Worker('worker.js', { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<'ready' | Reply | { fault: string }>) => {
    if (data === 'ready') return document.documentElement.setAttribute('data-ready', '');
    clearTimeout(clock);
    const { answer } = asked ?? {};
    asked = undefined;
    answer?.(data);
    if (waiting) ask(waiting.request, waiting.answer);
  };
  worker.onerror = (e) => say(`cardwright cannot be loaded: ${e.message}`);
}

function ask(request: Request, answer: NonNullable<typeof asked>['answer']) {
  waiting = { request, answer };
  if (asked) return;
  [asked, waiting] = [waiting, undefined];
  clock = setTimeout(() => {
    worker.terminate();
    asked = undefined;
    start();
    say(`stopped after ${patience / 1000} seconds: this input takes too long`);
  }, patience);
  worker.postMessage(request);
}

let timer = 0;
const later = () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 300);
};
const say = (text: string) => { byId('status').textContent = text; };
const keys = byId<HTMLTextAreaElement>('keys');
const version = byId<HTMLSelectElement>('version');

// refresh runs what the chosen task and view are about.
function refresh() {
  clearTimeout(timer);
  const { command } = tasks[task];
  const first = command('findings', '');
  const nothing = !Object.values(files).some((f) => f.length > 0);
  byId('empty').hidden = !nothing;
  if (nothing) {
    show({ diagnostics: [] });
    byId('findings').replaceChildren();
    return say('');
  }
  if (byId('status').textContent === '' || report.diagnostics.length === 0) say('Reading…');
  const commands = [[...first, '--format', 'json']];
  const given = view === 'page' ? { ...files, ...previewOf(task, files) } : { ...files };
  if (view === 'signatures' && keys.value.trim() !== '') given[keySet] = encoder.encode(keys.value);
  if (view !== 'findings') commands.push(command(view, version.value));
  const [wanted, shown] = [task, view];
  ask({ files: given, commands }, async (reply) => {
    await Promise.all([editor, second].map((e) => e.load()));
    if (wanted !== task || shown !== view) return;
    if ('fault' in reply) return say(`cardwright stopped: ${reply.fault}`);
    say('');
    show(reportOf(reply.results[0]));
    const other = reply.results[1];
    if (view === 'card') showCard(reply, other.code === 0 || task === 'make' ? other.out : '', other.err);
    if (view === 'page') showPage(reply.files['dist/index.html']);
    if (view === 'signatures') {
      byId('verdict').textContent = keys.value.trim() === '' ? 'Paste a key set to check the signatures with.' : other.out + other.err;
    }
  });
}

function element(tag: string, className: string, ...inside: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...inside);
  return made;
}

function button(text: string, className: string, act: () => void): HTMLElement {
  const made = element('button', className, text);
  made.onclick = act;
  return made;
}

// show lists findings and differences, the worst first, and marks those of the open files.
function show(now: Report) {
  report = now;
  const changes = now.changes ?? [];
  const offer = now.diagnostics.find((f) => f.rule === 'convert-repaired' && task === 'check');
  // Each change is a finding too.
  const found = now.diagnostics.filter((f) => f !== offer && !changes.some((c) => c.rule === f.rule));
  const kinds: Kind[] = [
    ...['error', 'warning', 'info'].map((k): Kind => [k, found.filter((f) => f.severity === k), (f) => findingItem(f as Finding)]),
    ...['breaking', 'additive', 'cosmetic'].map((k): Kind => [k, changes.filter((c) => c.class === k), (c) => changeItem(c as Change)]),
  ];
  const some = kinds.filter(([, all]) => all.length > 0);
  const parts: Node[] = [verdict(some, now.bump)];
  if (offer) parts.push(offering(offer));
  for (const [kind, all, item] of some) {
    const list = element('ol', '', ...all.slice(0, most.shown).map(item));
    if (all.length > most.shown) list.append(element('li', kind, `The command shows all ${all.length}.`));
    const folded = kind === 'info' || kind === 'cosmetic';
    parts.push(folded ? element('details', '', element('summary', '', counted(all.length, kind)), list) : list);
  }
  byId('findings').replaceChildren(...parts);
  mark();
  const tab = document.getElementById('view-findings');
  const count = found.length + changes.length;
  const title = task === 'compare' ? 'Differences' : titles.findings;
  if (tab) tab.textContent = count > 0 ? `${title} (${count})` : title;
  tree();
}

type Kind = [string, (Finding | Change)[], (of: Finding | Change) => HTMLElement];

function counted(n: number, kind: string): string {
  const word = { breaking: 'breaking change', additive: 'addition', cosmetic: 'cosmetic change' }[kind] ?? kind;
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

function verdict(some: Kind[], bump?: string): HTMLElement {
  const serious = some.filter(([kind]) => kind !== 'info' && kind !== 'cosmetic');
  const words = serious.map(([kind, all]) => counted(all.length, kind)).join(', ');
  const fine = task === 'compare' ? 'Nothing changes for clients' : some.length > 0 ? 'No errors, no warnings' : 'Nothing to improve';
  const step = bump && bump !== 'none' ? `: needs a ${bump} version` : '';
  return element('p', `verdict ${serious[0]?.[0] ?? 'good'}`, (words || fine) + step);
}

// offering offers the card as convert writes it.
function offering(f: Finding): HTMLElement {
  const can = f.message.replace('cardwright convert', 'cardwright');
  return element('div', 'offer', element('p', '', can[0].toUpperCase() + can.slice(1) + '.'),
    button('Show the converted card', 'primary', () => chooseView('card')));
}

// mark shows the findings of the open files at their lines.
function mark() {
  const first = report.diagnostics.slice(0, most.shown);
  editor.mark(first.filter((f) => f.file === open));
  second.mark(first.filter((f) => f.file === 'new.json'));
}

const documentation = 'https://github.com/OWNER/cardwright/blob/HEAD/docs/';

function outside(text: string, address: string): HTMLElement {
  const link = element('a', 'rule', text) as HTMLAnchorElement;
  [link.href, link.target, link.rel] = [documentation + address, '_blank', 'noreferrer'];
  return link;
}

// hintOf leaves out what only a command line or a configuration can do.
function hintOf({ hint }: Finding): string | undefined {
  const short = hint?.replace(/,? or (pass|use) --\S+( [A-Z]\S*)?/, '');
  return short && /--\w|cardwright \w/.test(short) ? undefined : short;
}

function findingItem(f: Finding): HTMLElement {
  const item = element('li', f.severity);
  if (f.severity !== 'info') item.append(element('span', 'kind', f.severity), ' ');
  item.append(f.message);
  const hint = hintOf(f);
  if (hint) item.append(element('div', 'hint', hint));
  const about = element('div', 'about');
  if (f.file && f.file in files) {
    const at = `${f.line ?? 1}:${f.column ?? 1}`;
    about.append(button(task === 'check' ? `line ${f.line ?? 1}` : `${f.file}:${at}`, 'place', () => {
      if (task === 'compare' && f.file === 'new.json') return second.go(f);
      choose(f.file!);
      editor.go(f);
    }));
  }
  if (f.rule) about.append(outside(f.rule, `rules.md#${f.rule}`));
  item.append(about);
  return item;
}

function changeItem(c: Change): HTMLElement {
  const item = element('li', c.class, element('span', 'kind', c.class), ' ', c.message);
  const words = (v: unknown) => (typeof v === 'string' ? v : JSON.stringify(v, null, 2));
  if (c.old !== undefined || c.new !== undefined) {
    item.append(element('div', 'values', ...([['old', c.old], ['new', c.new]] as const).map(([side, value]) =>
      element('pre', value === undefined ? '' : side, value === undefined ? '' : words(value)))));
  }
  item.append(element('div', 'about', outside(c.rule, 'diff.md#classes')));
  return item;
}

function showCard(reply: Reply, printed: string, said: string) {
  let text = printed;
  if (task === 'make') {
    const made = (report.cards ?? []).filter((c) => `dist/${c.path}` in reply.files || c.path in reply.files);
    const select = byId<HTMLSelectElement>('agent');
    const chosen = made.find((c) => c.agent === select.value) ?? made[0];
    select.replaceChildren(...made.map((c) => new Option(c.agent, c.agent, false, c === chosen)));
    const data = chosen && (reply.files[chosen.path] ?? reply.files[`dist/${chosen.path}`]);
    text = data ? decoder.decode(data) : '';
    byId('agent-of').hidden = made.length < 2;
  }
  byId('card-text').textContent = text || `There is no card:\n${said}`;
  for (const id of ['copy-card', 'keep-card']) byId<HTMLButtonElement>(id).disabled = text === '';
}

// showPage shows the page without its script, and its styles as the browser allows them.
function showPage(data: Uint8Array | undefined) {
  const frame = byId<HTMLIFrameElement>('page');
  frame.hidden = data === undefined;
  if (data === undefined) return say('There is no page: the findings say why.');
  let style = '';
  const page = decoder.decode(data).replace(/<style>([^]*?)<\/style>/, (_, text) => ((style = text), ''))
    .replace(/<script>[^]*?<\/script>|<meta http-equiv[^>]*>|<link [^>]*>/g, '');
  frame.onload = () => {
    const sheet = new (frame.contentWindow as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(style);
    frame.contentDocument!.adoptedStyleSheets = [sheet];
  };
  frame.srcdoc = page;
}

// tabs fills a list of tabs, which arrow keys move through.
function tabs(list: HTMLElement, names: [string, string][], chosen: string, select: (name: string) => void) {
  list.replaceChildren(...names.map(([name, text]) => {
    const tab = button(text, '', () => select(name));
    tab.id = `${list.id === 'views' ? 'view' : 'task'}-${name}`;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', list.id === 'views' ? 'view' : 'work');
    tab.setAttribute('aria-selected', String(name === chosen));
    tab.tabIndex = name === chosen ? 0 : -1;
    return tab;
  }));
  list.onkeydown = (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (step === undefined) return;
    const at = (names.findIndex(([name]) => name === chosen) + step + names.length) % names.length;
    select(names[at][0]);
    (list.children[at] as HTMLElement).focus();
  };
}

// tree lists the files of a project in their directories.
function tree() {
  const names = Object.keys(files).sort();
  byId('tree').hidden = task !== 'make' || names.length < 2;
  if (byId('tree').hidden) return;
  const all = names.length <= most.unfolded;
  const level = (below: string[], prefix: string): HTMLElement => {
    const list = element('ul', '');
    for (const [part, inside] of Map.groupBy(below, (n) => n.slice(prefix.length).split('/')[0])) {
      const path = prefix + part;
      if (inside.length === 1 && inside[0] === path) {
        const worst = ['error', 'warning'].find((k) => report.diagnostics.some((f) => f.file === path && f.severity === k));
        const file = button(part, worst ? `found ${worst}` : '', () => choose(path));
        file.setAttribute('aria-current', String(path === open));
        list.append(element('li', '', file));
        continue;
      }
      const directory = element('details', '', element('summary', '', `${part}/`), level(inside, `${path}/`)) as HTMLDetailsElement;
      directory.open = all || open.startsWith(`${path}/`);
      list.append(element('li', '', directory));
    }
    return list;
  };
  byId('tree').replaceChildren(level(names, ''));
}

function textOf(name: string): string | undefined {
  try {
    return decoder.decode(files[name] ?? new Uint8Array());
  } catch {
    say(`${name} is not text.`);
    return undefined;
  }
}

function choose(name: string) {
  open = name;
  byId('name').textContent = task === 'compare' ? 'Old card' : name;
  const text = textOf(name);
  if (text !== undefined) editor.show(name, text);
  if (task === 'compare') second.show('new.json', textOf('new.json') ?? '');
  mark();
  tree();
}

function chooseView(name: string) {
  view = name as View;
  const { views, command } = tasks[task];
  tabs(byId('views'), views.map((v) => [v, titles[v]]), view, chooseView);
  for (const v of Object.keys(titles)) byId(v).hidden = v !== view;
  byId('version-of').hidden = byId('keep-card').hidden = task === 'make';
  byId('same').hidden = view === 'page'; // which a configuration asks for, and no flag
  byId('command').textContent = ['cardwright', ...command(view, version.value)].join(' ');
  refresh();
}

function chooseTask(name: string, given: Files = {}, first: View = 'findings') {
  task = byId('work').dataset.task = name;
  byId('second').hidden = task !== 'compare';
  files = Object.keys(given).length > 0 ? given : blank();
  report = { diagnostics: [] };
  tabs(byId('tasks'), [['check', 'Check a card'], ['compare', 'Compare two cards'], ['make', 'Make a card from skills']], task, (n) => chooseTask(n));
  choose(task === 'compare' ? 'old.json' : Object.keys(files).sort()[0]);
  chooseView(first);
}

const blank = (): Files => Object.fromEntries(Object.keys(tasks[task].example).map((n) => [n, new Uint8Array()]));
const example = () => Object.fromEntries(Object.entries(tasks[task].example).map(([n, text]) => [n, encoder.encode(text)]));

// take opens files that somebody chose or dropped, by their paths.
async function take(chosen: [string, File][]) {
  const wanted = chosen.filter(([path]) => !/(^|\/)(\.git|node_modules)\//.test(path));
  const bytes = wanted.reduce((sum, [, file]) => sum + file.size, 0);
  if (wanted.length > most.files || bytes > most.bytes) {
    return say(`These are ${wanted.length} files with ${bytes} bytes; at most ${most.files} files and ${most.bytes} bytes are read here.`);
  }
  const read: Files = {};
  for (const [path, file] of wanted) read[path] = new Uint8Array(await file.arrayBuffer());
  const paths = Object.keys(read);
  if (paths.length === 0) return;
  if (paths.some((p) => /(^|\/)(SKILL\.md|cardwright\.ya?ml)$/.test(p))) {
    return make(Object.fromEntries(paths.map((p) => [tasks.make.home(p), read[p]])));
  }
  if (paths.length === 2 || task === 'compare') {
    const [older, newer] = paths.sort();
    const named = newer === undefined ? { ...files, [tasks.compare.home(older)]: read[older] } : { 'old.json': read[older], 'new.json': read[newer] };
    return chooseTask('compare', named);
  }
  chooseTask('check', { [card]: read[paths[0]] });
}

// make begins with a folder, for which init writes a configuration where it has none.
function make(given: Files) {
  if (config in given || 'cardwright.yml' in given) return chooseTask('make', given, 'card');
  ask({ files: given, commands: [['init', '--yes']] }, (reply) => {
    if ('fault' in reply) return say(reply.fault);
    chooseTask('make', { ...given, ...config in reply.files ? { [config]: reply.files[config] } : {} }, 'card');
  });
}

// below lists the files of something that was dropped.
async function below(entry: FileSystemEntry, path: string): Promise<[string, File][]> {
  if (entry.isFile) {
    return [[path, await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))]];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: [string, File][] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (batch.length === 0 || found.length > most.files) return found;
    for (const e of batch) found.push(...await below(e, path === '' ? e.name : `${path}/${e.name}`));
  }
}

document.ondragover = (e) => {
  e.preventDefault();
  document.body.classList.add('dropping');
};
document.ondragleave = () => document.body.classList.remove('dropping');
document.ondrop = async (e) => {
  e.preventDefault();
  document.body.classList.remove('dropping');
  const entries = [...e.dataTransfer!.items].flatMap((i) => i.webkitGetAsEntry() ?? []);
  // A single folder is the project itself.
  await take((await Promise.all(entries.map((d) => below(d, entries.length === 1 && d.isDirectory ? '' : d.name)))).flat());
};
byId<HTMLInputElement>('open-files').onchange = (e) => take([...(e.target as HTMLInputElement).files!].map((f) => [f.name, f]));
byId<HTMLInputElement>('open-folder').onchange = (e) =>
  take([...(e.target as HTMLInputElement).files!].map((f) => [f.webkitRelativePath.split('/').slice(1).join('/'), f]));
byId('example').onclick = byId('try').onclick = () => chooseTask(task, example());
version.onchange = () => chooseView(view);
byId('agent').onchange = refresh;
keys.oninput = later;

async function copy(text: string, what: string) {
  await navigator.clipboard.writeText(text);
  byId('said').textContent = `Copied ${what}.`;
}
byId('copy-card').onclick = () => copy(byId('card-text').textContent!, 'the card');
byId('keep-card').onclick = () => chooseTask('check', { [card]: encoder.encode(byId('card-text').textContent!) });
byId('copy-command').onclick = () => copy(byId('command').textContent!, 'the command');
byId('share').onclick = async () => {
  const fragment = await save({ task, files, keys: keys.value });
  if (fragment === undefined) {
    byId('said').textContent = 'This is too large for a link.';
    return;
  }
  location.hash = fragment;
  await copy(location.href, 'the link. What you see is in it, and is sent to nobody until you share it');
};

start();
navigator.serviceWorker?.register('offline.js').catch(() => { /* the page works without, but needs the network */ });
load(location.hash).then((shared) => {
  if (shared === undefined || !(shared.task in tasks)) return chooseTask('check');
  keys.value = shared.keys;
  chooseTask(shared.task, shared.files);
});
