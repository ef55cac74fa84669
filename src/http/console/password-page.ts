import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "./accounts-library.ts";
import { type Html, html } from "./html.ts";
import { formTokenField, layout } from "./layout.ts";

export function passwordPage(page: { formToken: string; email: string; problem?: string }): Html {
  return layout({
    title: "Choose a password",
    narrow: true,
    content: html`<section class="card">
<h1>Choose a password</h1>
<p>With it you sign in as <strong>${page.email}</strong>. At least ${MIN_PASSWORD_CHARS} characters; a few words are easy to remember and hard to guess.</p>
${page.problem !== undefined && html`<p class="problem" role="alert">${page.problem}</p>`}
<form class="fields" method="post" action="/console/password">
${formTokenField(page.formToken)}
<input class="hidden" type="email" name="email" autocomplete="username" value="${page.email}" readonly tabindex="-1" aria-hidden="true">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_CHARS}" maxlength="${MAX_PASSWORD_CHARS}" required autofocus>
<label for="repeated">The same again</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_CHARS}" maxlength="${MAX_PASSWORD_CHARS}" required>
<button>Save and continue</button>
</form>
<p><a href="/console">Not now</a></p>
</section>`,
  });
}
