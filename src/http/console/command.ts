import { type Html, html } from "./html.ts";

/** A command line for whoever runs Bursar, as it works in the folder that Bursar was started from. */
export function command(line: string): Html {
  return html`<pre tabindex="0"><code>bin/bursar ${line}</code></pre>`;
}
