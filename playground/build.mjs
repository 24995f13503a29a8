// Builds the page into a directory that any web server can serve: node build.mjs OUT
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');
const go = (...args) => execFileSync('go', args, {
  cwd: join(here, '..'), env: { ...process.env, GOOS: 'js', GOARCH: 'wasm', GOFLAGS: '' }, encoding: 'utf8',
}).trim();

mkdirSync(out, { recursive: true });
// Without inlining the program is a fifth smaller, which counts more here than speed.
const work = mkdtempSync(join(tmpdir(), 'cardwright-'));
const program = join(work, 'cardwright.wasm');
go('build', '-trimpath', '-gcflags=all=-l', '-tags=urfave_cli_no_docs', '-ldflags=-s -w', '-o', program, '.');
writeFileSync(join(out, 'cardwright.bin'), brotliCompressSync(readFileSync(program), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
}));
rmSync(work, { recursive: true });
copyFileSync(fileURLToPath(import.meta.resolve('brotli-dec-wasm/web/bg.wasm')), join(out, 'decoder.wasm'));
copyFileSync(join(here, 'index.html'), join(out, 'index.html'));
copyFileSync(join(here, '../docs/llms.txt'), join(out, 'llms.txt')); // https://llmstxt.org: at the root of the site

const bundle = { bundle: true, minify: true, format: 'esm', target: 'es2022', absWorkingDir: here, logLevel: 'warning' };
await build({ ...bundle, entryPoints: ['src/page.ts', 'style.css'], entryNames: '[name]', outdir: out, splitting: true, chunkNames: '[name]' });
await build({ // with what Go brings to run its programs
  ...bundle, entryPoints: ['src/worker.ts', 'src/program.ts'], outdir: out,
  inject: [join(go('env', 'GOROOT'), 'lib/wasm/wasm_exec.js')],
});
const assets = ['index.html', 'page.js', 'rich.js', 'style.css', 'worker.js', 'decoder.wasm', 'cardwright.bin'];
const hash = createHash('sha256');
for (const name of assets) hash.update(readFileSync(join(out, name)));
await build({
  ...bundle, entryPoints: ['src/offline.ts'], outdir: out,
  define: { BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)), ASSETS: JSON.stringify(['./', ...assets]) },
});
