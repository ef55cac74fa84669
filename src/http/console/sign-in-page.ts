import { command } from "./command.ts";
import { type Html, html } from "./html.ts";
import { formTokenField, layout } from "./layout.ts";

export type SignInPage = {
  formToken: string;
  /** What was typed before, so that it need not be typed again. */
  email?: string;
  problem?: string;
  /** Credits that the visitor came to ask for; they are shown after the sign-in. */
  credits: number | null;
};

export function signInPage({ formToken, email = "", problem, credits }: SignInPage): Html {
  return layout({
    title: "Sign in",
    narrow: true,
    content: html`<section class="card">
<h1>Sign in</h1>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
<form class="fields" method="post" action="/console/sign-in">
${formTokenField(formToken)}
${credits !== null && html`<input type="hidden" name="credits" value="${credits}">`}
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${email}"${email === "" ? html` autofocus` : null}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128" required${email !== "" ? html` autofocus` : null}>
<button>Sign in</button>
</form>
</section>
<section class="aside">
<h2>No password yet, or forgotten?</h2>
<p>Ask whoever runs this Bursar for a new link. They get one with:</p>
${command("member link --email you@example.com")}
</section>`,
  });
}
