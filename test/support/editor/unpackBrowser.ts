// Unpacks the browser of `@sparticuz/chromium` and the libraries that a minimal system lacks. The package unpacks into the temporary folder
// of its process, so this runs in one of its own.
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

await chromium.executablePath();
await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))));
