// A link that holds what the page shows: its fragment, which browsers never send.
import type { Files } from './program';

export type Shared = { task: string; files: Files; keys: string };
type Plain = { task: string; files: Record<string, string>; keys: string };
const prefix = '#1.';
const longest = 30_000; // characters of a link that programs pass on
const largest = 1 << 20; // bytes of what a link may unfold to

const through = (data: BlobPart, stream: GenericTransformStream) => new Response(new Blob([data]).stream().pipeThrough(stream));
const fold = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const unfold = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

// save returns a fragment, undefined where there is too much for one.
export async function save({ task, files, keys }: Shared): Promise<string | undefined> {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const plain: Plain = { task, keys, files: Object.fromEntries(Object.entries(files).map(([n, d]) => [n, decoder.decode(d)])) };
    const text = JSON.stringify(plain);
    if (text.length > largest) return undefined;
    const packed = new Uint8Array(await through(text, new CompressionStream('deflate-raw')).arrayBuffer());
    return packed.length * 4 / 3 > longest ? undefined : prefix + fold(packed);
  } catch {
    return undefined; // a file is not text
  }
}

// load reads a fragment, undefined where it is none of ours.
export async function load(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(prefix) || fragment.length > 2 * longest) return undefined;
  try {
    const reader = through(unfold(fragment.slice(prefix.length)), new DecompressionStream('deflate-raw')).body!.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let part = await reader.read(); !part.done && text.length <= largest; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
    }
    if (text.length > largest) return undefined;
    const { task, files, keys } = JSON.parse(text) as Plain;
    const encoder = new TextEncoder();
    return { task, keys: String(keys), files: Object.fromEntries(Object.entries(files).map(([n, t]) => [n, encoder.encode(String(t))])) };
  } catch {
    return undefined;
  }
}
