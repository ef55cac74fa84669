/** Run in its own process, because the package decides where to unpack by TMPDIR and the environment. */
import chromium from "@sparticuz/chromium";

process.stdout.write(await chromium.executablePath());
