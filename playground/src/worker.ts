// The worker of the page: it loads the program once, and answers requests in order.
import init, { decompress } from 'brotli-dec-wasm/web';
import { run, type Request } from './program';

// The program is compressed once, with Brotli: hosts compress it less, or not at all.
const packed = fetch('cardwright.bin').then((answer) => answer.arrayBuffer());
const module = init({ module_or_path: 'decoder.wasm' })
  .then(async () => WebAssembly.compile(decompress(new Uint8Array(await packed)) as Uint8Array<ArrayBuffer>));
module.then(() => postMessage('ready'), (error: unknown) => postMessage({ fault: String(error) }));

let last: Promise<unknown> = module;
onmessage = ({ data }: MessageEvent<Request>) => {
  last = last.then(async () => postMessage(await run(await module, data)))
    .catch((error: unknown) => postMessage({ fault: String(error) }));
};
