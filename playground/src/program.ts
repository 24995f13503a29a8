// The program, which is cardwright itself: arguments and files in, what it prints and
// the files that it leaves out. It runs in a worker of the page, and in Node.
import { Disk, project, resolve, type Files } from './files';

declare const Go: new () => {
  argv: string[]; env: Record<string, string>; importObject: WebAssembly.Imports;
  _scheduledTimeouts: Map<number, number>; exit: (code: number) => void; run: (instance: WebAssembly.Instance) => Promise<void>;
};

export type { Files };
export type Result = { code: number; out: string; err: string };
export type Request = { files: Files; commands: string[][] };
export type Reply = { results: Result[]; files: Files };

// run runs commands one after the other on the same files.
export async function run(module: WebAssembly.Module, { files, commands }: Request): Promise<Reply> {
  const printed: Record<number, Uint8Array[]> = { 1: [], 2: [] };
  const disk = new Disk(files, (stream, data) => printed[stream].push(data));
  const text = (stream: number) => new Blob(printed[stream] as BlobPart[]).text();
  const results: Result[] = [];
  Object.assign(globalThis, {
    fs: disk.calls(),
    path: { resolve },
    // Nothing is run in another directory.
    process: { getuid: () => -1, getgid: () => -1, geteuid: () => -1, getegid: () => -1, pid: 1, ppid: 0, cwd: () => project, chdir: () => {}, umask: () => 0o22 },
  });
  for (const args of commands) {
    printed[1] = [];
    printed[2] = [];
    let code = 3;
    const go = new Go();
    go.argv = ['cardwright', ...args];
    go.env = { NO_COLOR: '1', TZ: 'UTC' };
    go.exit = (status) => { code = status; };
    await go.run(await WebAssembly.instantiate(module, go.importObject));
    go._scheduledTimeouts.forEach((timeout) => clearTimeout(timeout)); // which would wake a program that has ended
    results.push({ code, out: await text(1), err: await text(2) });
  }
  return { results, files: disk.below(project) };
}
