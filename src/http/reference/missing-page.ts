import { CONSOLE_LINK, linkList, type PageLink, smallPage } from "./small-page.ts";

const HOME: PageLink = { path: "/", title: "Front page", text: "What there is at this Bursar." };

/** For a person whose link leads nowhere. Nothing of the request stands in it, so all such links look alike. */
export function missingPage(requestId: string, { hasConsole }: { readonly hasConsole: boolean }): Response {
  const content = `<div>
<h1>There is nothing at this address</h1>
<p>It may be mistyped, or what was here has been deleted.</p>
</div>
${linkList(hasConsole ? [CONSOLE_LINK, HOME] : [HOME])}`;
  return smallPage(requestId, { title: "Nothing here · Bursar", content, status: 404 });
}
