import { join } from "node:path";
import { lazily, nothingAtPath, ROOT } from "../../kit/index.ts";
import type { SiteRoute } from "../pages/site-route.ts";
import { pathOf } from "../request-target.ts";
import { linkList, type PageLink, smallPage } from "./small-page.ts";

const FOLDER = join(ROOT, "docs");
const PATH = "/docs/guides";
/** How the guides write this gateway's address. */
const EXAMPLE_URL = "http://127.0.0.1:8787";

const GUIDES: Readonly<Record<string, string>> = {
  clients: "Point SDKs, apps and coding agents at the gateway.",
  media: "Images, speech, music and video, and the library of what was made.",
  models: "What can be called, and what a call costs.",
  errors: "Every code, and what to do about it.",
  efficiency: "How prompts are made shorter, and what that saves.",
  billing: "Plans, packs, payments, and how to check a charge.",
  manage: "Management keys, the management interface and the audit log.",
  webhooks: "Events, delivered to webhooks, Slack and people; how to verify them.",
  security: "What was tried against the gateway.",
  configuration: "Every setting.",
  providers: "How each provider is connected.",
  operate: "Install, back up, upgrade, and what to do when something breaks.",
  observe: "Metrics and log events.",
  reliability: "What can be relied on when things go wrong.",
  scale: "How much load one database carries.",
  benchmarks: "What a call costs on its way through the gateway.",
};

export const GUIDES_LINK: PageLink = { path: PATH, title: "Guides", text: "How to use and run the gateway." };

const STYLE = `
main { grid-template-columns: minmax(0, 1fr); max-width: 760px; padding-top: 48px; }
article > * { margin: 0 0 16px; color: var(--ink); }
article :is(h2, h3) { margin-top: 32px; line-height: 1.3; }
main a:not(.brand) { color: var(--accent); }
article :is(pre, .table) { overflow-x: auto; }
article pre { padding: 12px 16px; background: var(--surface-2); border-radius: 8px; }
article table { border-collapse: collapse; font-size: 14px; }
article :is(th, td) { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }`;

/** The guides of `docs/`, served so that the console can link to them wherever the gateway runs. */
export function guideRoutes(publicUrl: string): readonly SiteRoute[] {
  const pages = new Map(
    Object.keys(GUIDES).map((name) => [
      name,
      lazily(async () => renderGuide(await Bun.file(join(FOLDER, `${name}.md`)).text(), publicUrl)),
    ]),
  );
  const links = Object.entries(GUIDES).map(([name, text]) => ({
    path: `${PATH}/${name}`,
    title: `${name[0]?.toUpperCase()}${name.slice(1)}`,
    text,
  }));
  return [
    {
      path: PATH,
      respond: ({ requestId }) =>
        smallPage(requestId, { title: "Bursar guides", content: `<h1>Guides</h1>\n${linkList(links)}` }),
    },
    {
      path: `${PATH}/:name`,
      async respond({ request, requestId }) {
        const name = pathOf(request).slice(PATH.length + 1);
        const page = pages.get(name);
        if (!page) throw nothingAtPath();
        const content = `<nav><a href="${PATH}">Guides</a></nav>\n<article>${await page()}</article>`;
        return smallPage(requestId, { title: `Bursar: ${name}`, content, style: STYLE });
      },
    },
  ];
}

/** Links to other guides lead to their pages here; links to files that are not served become plain text. */
async function renderGuide(markdown: string, publicUrl: string): Promise<string> {
  const { default: createParser } = await import("markdown-it");
  const parser = createParser();
  const { rules } = parser.renderer;
  rules.heading_open = (tokens, at) => {
    const { tag } = tokens[at] ?? {};
    return `<${tag} id="${anchorOf(tokens[at + 1]?.content ?? "")}">`;
  };
  rules.table_open = () => '<div class="table"><table>';
  rules.table_close = () => "</table></div>";
  parser.core.ruler.push("guide_links", ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = String(token.attrGet("href") ?? "#");
      if (/^(https?:|#)/.test(href)) continue;
      const [, name = "", anchor = ""] = /^([a-z]+)\.md(#.*)?$/.exec(href) ?? [];
      if (Object.hasOwn(GUIDES, name)) token.attrSet("href", `${PATH}/${name}${anchor}`);
      else token.attrs = null;
    }
  });
  return parser.render(markdown.replace(/<!--.*?-->|<\/?sub>/gs, "").replaceAll(EXAMPLE_URL, publicUrl));
}

/** As source hosts make them, so that links work there and here. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number} _-]/gu, "")
    .replaceAll(" ", "-");
}
