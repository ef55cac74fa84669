/** `npm run pack`: builds the packages, checks what is in them, and leaves their tarballs in `dist/`. */
import { commandOptions } from "../command-options.ts";
import { packAll } from "./pack-all.ts";
import { tryInstallation } from "./try-installation.ts";

const values = commandOptions(
  `Usage: npm run pack [-- OPTIONS]
  --try   also installs the tarballs into empty folders, through npm and its registry, and runs what they give`,
  { try: { type: "boolean" } },
);
const tarballs = await packAll();
if (values.try) await tryInstallation(tarballs);
