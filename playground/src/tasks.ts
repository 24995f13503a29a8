// What the page can do, as the commands that do it.
import type { Files, Result } from './program';

export type Finding = {
  rule: string; severity: 'error' | 'warning' | 'info'; message: string; hint?: string;
  file?: string; line?: number; column?: number; endLine?: number; endColumn?: number;
};
export type Change = { rule: string; class: string; agent?: string; message: string; old?: unknown; new?: unknown };
export type Report = { diagnostics: Finding[]; changes?: Change[]; cards?: { agent: string; path: string }[]; bump?: string };
export type View = 'findings' | 'card' | 'signatures' | 'page';
export type Task = {
  views: View[];
  example: Record<string, string>;
  home: (name: string) => string; // where a file goes that somebody opens
  command: (view: View, version: string) => string[];
};

export const card = 'agent-card.json';
export const keySet = 'jwks.json';
export const config = 'cardwright.yaml';
const preview = 'preview.yaml';

const exampleCard = (description: string, url: string) => `${JSON.stringify({
  name: 'Room Desk',
  description,
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version: '1.0.0',
  capabilities: { streaming: false },
  defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
  skills: [{ id: 'book-room', name: 'Book a room', description: 'Books a meeting room for a number of people.', tags: ['rooms'] }],
}, null, 2)}\n`;

export const tasks: Record<string, Task> = {
  check: {
    views: ['findings', 'card', 'signatures', 'page'],
    example: { [card]: exampleCard('Books rooms.', 'http://localhost:8080/a2a').replace('"JSONRPC"', '"json-rpc"') },
    home: () => card,
    command: (view, version) => ({
      findings: ['lint', card], card: ['convert', card, '--to', version], signatures: ['verify', card, '--jwks', keySet],
      page: ['generate', '--config', preview],
    })[view],
  },
  compare: {
    views: ['findings'],
    example: {
      'old.json': exampleCard('Books meeting rooms in every office.', 'https://rooms.acme.example/a2a'),
      'new.json': exampleCard('Books meeting rooms.', 'https://rooms.acme.example/v2'),
    },
    home: (name) => (/new[^/]*$/i.test(name) ? 'new.json' : 'old.json'),
    command: () => ['diff', 'old.json', 'new.json'],
  },
  make: {
    views: ['findings', 'card', 'page'],
    example: {
      [config]: 'version: 1\nbaseUrl: https://rooms.acme.example\nagents:\n  - id: room-desk\n    name: Room Desk\n    description: Books meeting rooms and equipment in every office.\n    version: 1.0.0\n    interfaces: [{url: /a2a}]\n    skills: {from: [{type: skills, path: skills}]}\n',
      'skills/book-room/SKILL.md': '---\nname: book-room\ndescription: Books a meeting room for a number of people. Use it when somebody needs a room.\nmetadata:\n  a2a-name: Book a room\n  a2a-tags: rooms, calendar\n---\n',
    },
    home: (name) => (name === 'SKILL.md' ? 'skills/skill/SKILL.md' : name),
    command: (view) => (view === 'page' ? ['generate', '--config', preview] : ['generate']),
  },
};

// previewOf is the configuration that makes the page about the agents.
export function previewOf(task: string, files: Files): Files {
  const own = files[config] && new TextDecoder().decode(files[config]);
  const text = task === 'make'
    ? (own ?? '').replace(/^html:.*$/m, '') + '\nhtml: true\n'
    : `version: 1\nhtml: true\nagents: [{id: agent, skills: {from: [{type: card, path: ${card}, whole: true}]}}]\n`;
  return { [preview]: new TextEncoder().encode(text) };
}

// reportOf reads what a command prints as JSON. Where it prints none, what it says to
// people is the one finding.
export function reportOf(result: Result): Report {
  try {
    return JSON.parse(result.out);
  } catch {
    return { diagnostics: [{ rule: '', severity: 'error', message: result.err.trim() || result.out.trim() || `cardwright ended with ${result.code}` }] };
  }
}
