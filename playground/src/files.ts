// Files in memory, as the functions that a Go program in a browser calls
// (syscall/fs_js.go).

export type Files = Record<string, Uint8Array>;
type Entry = { mode: number; data?: Uint8Array; id?: number }; // a directory has no data
type Handle = { entry: Entry; at: number };

export const project = '/project'; // the working directory
const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
const fault = (code: string) => Object.assign(new Error(code), { code });
const above = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/';

// resolve returns the absolute path without "." and "..".
export function resolve(path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${project}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

// Disk is a file system with one user, no links and no clock.
export class Disk {
  private entries = new Map<string, Entry>([['/', { mode: 0o40755 }]]);
  private handles = new Map<number, Handle>();
  private next = 3; // file descriptor
  private ids = 0;

  // output gets what is written to standard output (1) and standard error (2).
  constructor(files: Files, private output: (stream: number, data: Uint8Array) => void) {
    this.makeDirectories(project);
    for (const [name, data] of Object.entries(files)) {
      this.makeDirectories(above(resolve(name)));
      this.entries.set(resolve(name), { mode: 0o100644, data });
    }
  }

  // below returns the files below a directory, by their paths in it.
  below(directory: string): Files {
    const found: Files = {};
    for (const [path, { data }] of this.entries) {
      if (data && path.startsWith(`${directory}/`)) found[path.slice(directory.length + 1)] = data;
    }
    return found;
  }

  private makeDirectories(path: string) {
    if (this.entries.has(path)) return;
    this.makeDirectories(above(path));
    this.entries.set(path, { mode: 0o40755 });
  }

  private children(path: string): string[] {
    const prefix = path === '/' ? '/' : `${path}/`;
    return [...this.entries.keys()].filter((p) => p !== '/' && p.startsWith(prefix) && !p.includes('/', prefix.length))
      .map((p) => p.slice(prefix.length));
  }

  private find(path: string): Entry {
    const entry = this.entries.get(resolve(path));
    if (entry) return entry;
    let parent = above(resolve(path));
    while (!this.entries.has(parent)) parent = above(parent);
    throw fault(this.entries.get(parent)!.data ? 'ENOTDIR' : 'ENOENT');
  }

  private file(entry: Entry): { mode: number; data: Uint8Array } {
    if (!entry.data) throw fault('EISDIR');
    return entry as { mode: number; data: Uint8Array };
  }

  private directory(path: string): string {
    if (this.find(path).data) throw fault('ENOTDIR');
    return resolve(path);
  }

  private handle(fd: number): Handle {
    return this.handles.get(fd) ?? (() => { throw fault('EBADF'); })();
  }

  private create(path: string, entry: Entry): Entry {
    this.directory(above(resolve(path)));
    if (this.entries.has(resolve(path))) throw fault('EEXIST');
    this.entries.set(resolve(path), entry);
    return entry;
  }

  private resize(entry: Entry, size: number) {
    const data = new Uint8Array(size);
    data.set(this.file(entry).data.subarray(0, size));
    entry.data = data;
  }

  private stat(entry: Entry) {
    const size = entry.data?.length ?? 0;
    return {
      dev: 1, ino: entry.id ??= ++this.ids, mode: entry.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096,
      blocks: Math.ceil(size / 512), atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => !entry.data,
    };
  }

  private open(path: string, flags: number, mode: number): number {
    const there = this.entries.get(resolve(path));
    if (there && flags & constants.O_EXCL) throw fault('EEXIST');
    const entry = there ?? (flags & constants.O_CREAT
      ? this.create(path, { mode: 0o100000 | mode & 0o777, data: new Uint8Array() }) : this.find(path));
    if (flags & (constants.O_WRONLY | constants.O_RDWR)) this.file(entry);
    if (flags & constants.O_DIRECTORY) this.directory(path);
    if (flags & constants.O_TRUNC) entry.data = new Uint8Array();
    this.handles.set(this.next, { entry, at: flags & constants.O_APPEND ? this.file(entry).data.length : 0 });
    return this.next++;
  }

  private read(fd: number, buffer: Uint8Array, offset: number, length: number, position: number | null): number {
    if (fd === 0) return 0;
    const handle = this.handle(fd);
    const from = position ?? handle.at;
    const part = this.file(handle.entry).data.subarray(from, from + length);
    buffer.set(part, offset);
    if (position === null) handle.at += part.length;
    return part.length;
  }

  private write(fd: number, buffer: Uint8Array, offset: number, length: number, position: number | null): number {
    const part = buffer.slice(offset, offset + length);
    if (fd < 3) {
      this.output(fd, part);
      return length;
    }
    const handle = this.handle(fd);
    const from = position ?? handle.at;
    if (from + length > this.file(handle.entry).data.length) this.resize(handle.entry, from + length);
    this.file(handle.entry).data.set(part, from);
    if (position === null) handle.at += length;
    return length;
  }

  private rename(from: string, to: string) {
    const entry = this.file(this.find(from));
    this.directory(above(resolve(to)));
    if (this.entries.has(resolve(to))) this.file(this.find(to));
    this.entries.delete(resolve(from));
    this.entries.set(resolve(to), entry);
  }

  // calls are the functions of the system, each with a callback as its last argument.
  calls(): object {
    const none = () => {};
    const refuse = () => { throw fault('EPERM'); };
    const calls: Record<string, (...args: any[]) => unknown> = {
      open: (path, flags, mode) => this.open(path, flags, mode),
      close: (fd) => void this.handles.delete(fd),
      read: (...args) => this.read(...args as Parameters<Disk['read']>),
      write: (...args) => this.write(...args as Parameters<Disk['write']>),
      stat: (path) => this.stat(this.find(path)),
      lstat: (path) => this.stat(this.find(path)),
      fstat: (fd) => this.stat(fd < 3 ? { mode: 0o100644, data: new Uint8Array() } : this.handle(fd).entry),
      readdir: (path) => this.children(this.directory(path)),
      mkdir: (path, mode) => void this.create(path, { mode: 0o40000 | mode & 0o777 }),
      rename: (from, to) => this.rename(from, to),
      unlink: (path) => void (this.file(this.find(path)), this.entries.delete(resolve(path))),
      rmdir: (path) => {
        if (this.children(this.directory(path)).length > 0) throw fault('ENOTEMPTY');
        this.entries.delete(resolve(path));
      },
      truncate: (path, size) => this.resize(this.find(path), size),
      ftruncate: (fd, size) => this.resize(this.handle(fd).entry, size),
      chmod: none, fchmod: none, chown: none, fchown: none, lchown: none, fsync: none, utimes: none,
      readlink: () => { throw fault('EINVAL'); }, link: refuse, symlink: refuse,
    };
    // The runtime of Go writes its last words without a callback.
    const called: Record<string, unknown> = { constants, writeSync: (fd: number, data: Uint8Array) => this.write(fd, data, 0, data.length, null) };
    for (const [name, call] of Object.entries(calls)) {
      called[name] = (...args: unknown[]) => {
        const callback = args.pop() as (error: unknown, value?: unknown) => void;
        let value: unknown;
        try {
          value = call(...args);
        } catch (error) {
          return callback(error);
        }
        callback(null, value);
      };
    }
    return called;
  }
}
