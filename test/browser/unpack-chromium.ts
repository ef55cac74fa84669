/** Run in a process of its own: the package unpacks to wherever its temporary folder and environment say. */
import chromium from "@sparticuz/chromium";

process.stdout.write(await chromium.executablePath());
