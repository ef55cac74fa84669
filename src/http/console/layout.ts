import { assetPath } from "./assets.ts";
import { FORM_TOKEN } from "./form-guard.ts";
import { type Html, html } from "./html.ts";

/** What the bar at the top shows of who is signed in. */
export type SignedInBar = {
  readonly email: string;
  readonly formToken: string;
  /** Null for somebody who belongs to no organization. */
  readonly organization: { readonly id: string } | null;
  /** All that the person belongs to; a switch appears when there are several. */
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
};

export function layout(page: { title: string; bar?: SignedInBar; narrow?: boolean; content: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Bursar</title>
<link rel="icon" type="image/svg+xml" href="${assetPath("icon.svg")}">
<link rel="stylesheet" href="${assetPath("style.css")}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="/console"><img src="${assetPath("icon.svg")}" alt="" width="28" height="28">Bursar</a>
${page.bar ? signedInBar(page.bar) : null}
</header>
<main id="content" class="${page.narrow ? "narrow" : "wide"}">
${page.content}
</main>
</body>
</html>
`;
}

export function formTokenField(token: string): Html {
  return html`<input type="hidden" name="${FORM_TOKEN}" value="${token}">`;
}

function signedInBar(bar: SignedInBar): Html {
  return html`${organizationSwitch(bar)}
<span class="person">${bar.email}</span>
<form method="post" action="/console/sign-out">${formTokenField(bar.formToken)}<button class="quiet">Sign out</button></form>`;
}

function organizationSwitch({ organization, organizations, formToken }: SignedInBar): Html | null {
  if (organization === null || organizations.length < 2) return null;
  const options = organizations.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === organization.id ? html` selected` : null}>${name}</option>`,
  );
  return html`<form class="switch" method="post" action="/console/organization">
${formTokenField(formToken)}
<label class="hidden" for="organization">Organization</label>
<select id="organization" name="organization">${options}</select>
<button class="quiet">Switch</button>
</form>`;
}
