import type { ApiKey } from "../../identity/index.ts";
import { command } from "./command.ts";
import { formatDay, formatMoment, formatNumber } from "./format.ts";
import { type Html, html } from "./html.ts";

export type KeysCard = { keys: readonly ApiKey[]; slug: string; nowMs: number };

/** Rows on the page; the command line lists the rest. */
const MAX_ROWS = 100;

export function keysCard({ keys, slug, nowMs }: KeysCard): Html {
  const hiddenCount = keys.length - MAX_ROWS;
  return html`<section class="card">
<h2>API keys</h2>
${keys.length === 0 ? html`<p>There are none yet.</p>` : keysTable(keys.slice(0, MAX_ROWS), nowMs)}
${hiddenCount > 0 && html`<p class="dim">And ${formatNumber(hiddenCount)} older ones.</p>`}
<p>To mint a key, in the folder of Bursar:</p>
${command(`key create --org ${slug} --name my-app`)}
</section>`;
}

function keysTable(keys: readonly ApiKey[], nowMs: number): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="API keys"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Scopes</th><th scope="col">Last use</th><th scope="col">State</th></tr></thead>
<tbody>${keys.map((key) => keyRow(key, nowMs))}</tbody>
</table></div>`;
}

function keyRow(key: ApiKey, nowMs: number): Html {
  const state = stateOf(key, nowMs);
  return html`<tr>
<th scope="row">${key.name}</th>
<td data-label="Key"><code class="key">…${key.lastFour}</code></td>
<td data-label="Scopes">${key.scopes.join(", ")}</td>
<td data-label="Last use">${key.lastUsedAt === null ? "never" : formatMoment(key.lastUsedAt)}</td>
<td data-label="State"><span class="state ${state.kind}">${state.label}</span></td>
</tr>`;
}

function stateOf(key: ApiKey, nowMs: number): { kind: "live" | "dead"; label: string } {
  if (key.revokedAt !== null) return { kind: "dead", label: `revoked ${formatDay(key.revokedAt)}` };
  if (key.expiresAt === null) return { kind: "live", label: "active" };
  return key.expiresAt.getTime() <= nowMs
    ? { kind: "dead", label: `expired ${formatDay(key.expiresAt)}` }
    : { kind: "live", label: `active until ${formatDay(key.expiresAt)}` };
}
