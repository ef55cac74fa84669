import { type Html, html } from "./html.ts";
import type { ConsoleConfig } from "./parts.ts";

/** Where to point programs, and a first call to copy. */
export function connectCard({ publicUrl, aliasPrefix }: ConsoleConfig): Html {
  const body = JSON.stringify({
    model: `${aliasPrefix}fast`,
    messages: [{ role: "user", content: "Hello!" }],
  });
  const call = [
    `curl ${publicUrl}/functions/v1/api-v1-chat \\`,
    '  -H "Authorization: Bearer YOUR_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join("\n");
  return html`<section class="card">
<h2>Connect</h2>
<dl class="facts">
<div><dt>Bursar’s own interface</dt><dd><code>${publicUrl}/functions/v1</code></dd></div>
<div><dt>Chat-completions clients and coding agents</dt><dd><code>${publicUrl}/v1</code></dd></div>
</dl>
<p>A first call, with your key in the place of <code>YOUR_API_KEY</code>:</p>
<pre tabindex="0"><code>${call}</code></pre>
</section>`;
}
