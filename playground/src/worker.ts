// The worker of the page: it loads the program once, and answers requests in order.
import { run, type Request } from './program';

const module = WebAssembly.compileStreaming(fetch('cardwright.wasm'));
module.then(() => postMessage('ready'), (error: unknown) => postMessage({ fault: String(error) }));

let last: Promise<unknown> = module;
onmessage = ({ data }: MessageEvent<Request>) => {
  last = last.then(async () => postMessage(await run(await module, data)))
    .catch((error: unknown) => postMessage({ fault: String(error) }));
};
