import type { Member } from "../../identity/index.ts";
import { command } from "./command.ts";
import { parseCredits } from "./credits-wanted.ts";
import { formatCredits } from "./format.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { showNobody } from "./overview.ts";
import type { ConsoleParts } from "./parts.ts";
import { pageReply } from "./reply.ts";
import type { Route } from "./route.ts";
import { showSignIn } from "./sign-in.ts";
import { resolveViewer, type Viewer } from "./viewer.ts";

/** Where the checkout link of a refused call leads: what is missing, and who can add it. */
export function billingRoute(parts: ConsoleParts): Route {
  return {
    path: /^\/console\/billing$/,
    async show(ask) {
      const session = await ask.session();
      if (!session) return showSignIn(parts, ask);
      const viewer = await resolveViewer(parts, session);
      if (!viewer) return showNobody(parts, session);
      const { balance } = await parts.usage.balanceView(viewer.organization, { limit: 1 });
      const wanted = parseCredits(ask.query.get("credits"));
      return pageReply(billingPage({ viewer, wanted, available: balance.total_credits }));
    },
  };
}

function billingPage({
  viewer,
  wanted,
  available,
}: {
  viewer: Viewer;
  wanted: number | null;
  available: number;
}): Html {
  const { organization } = viewer;
  return layout({
    title: "Add credits",
    bar: viewer.bar,
    narrow: true,
    content: html`<section class="card">
<h1>Add credits</h1>
${wanted !== null && html`<p class="figure">${formatCredits(wanted)}</p><p>That is what the refused call still needs.</p>`}
<p>${organization.name} can spend ${formatCredits(available)} now.</p>
</section>
<section class="card">
<h2>Whom to ask</h2>
<p>These people look after the credits of ${organization.name}:</p>
<ul class="people">${viewer.people.filter(({ role }) => role !== "member").map(personLine)}</ul>
<p>Credits cannot be bought here yet. Whoever runs this Bursar grants them with:</p>
${command(`credits grant --org ${organization.slug} --pool anytime --amount ${wanted ?? 1000}`)}
</section>
<p><a href="/console">Back to the overview</a></p>`,
  });
}

function personLine({ name, email, role }: Member): Html {
  return html`<li><strong>${name}</strong> <span class="dim">${email}, ${role}</span></li>`;
}
