import { NOTHING_AT_PATH } from "../../kit/index.ts";
import { WHERE_ALL_ARE } from "../missing-path.ts";
import { CONSOLE_LINK, DOCS_LINK, linkList, type PageLink, smallPage } from "./small-page.ts";

const HOME: PageLink = { path: "/", title: "Front page", text: "What this Bursar offers." };

/**
 * For a person whose link leads nowhere. `message` is what a program would get: only our own sentences, with what was
 * probably meant. It contains nothing of the request, so the pages for all missing files are alike.
 */
export function missingPage(
  requestId: string,
  { message, hasConsole }: { readonly message: string; readonly hasConsole: boolean },
): Response {
  const hint = Bun.escapeHTML(message.replace(NOTHING_AT_PATH, "").replace(WHERE_ALL_ARE, "").trim());
  const content = `<div>
<h1>There is nothing at this address</h1>
<p>It may be mistyped, or what was here has been deleted.${hint === "" ? "" : ` ${hint}`}</p>
</div>
${linkList([...(hasConsole ? [CONSOLE_LINK] : []), DOCS_LINK, HOME])}`;
  return smallPage(requestId, { title: "Nothing here · Bursar", content, status: 404 });
}
