import { Link } from "wouter";
import type { SessionView } from "../../../src/http/console/contract.ts";
import { Door } from "./door.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage({ session }: { session: SessionView }) {
  return (
    <Door title="Sign in">
      <SignInForm />
      {session.service.signUpIsOpen && (
        <p className="small dim">
          New here? <Link href="/sign-up">Make an account</Link>
        </p>
      )}
      {session.service.sendsMail ? (
        <p className="small dim">
          No password, or forgotten? <Link href="/forgotten">Get a link by mail</Link>
        </p>
      ) : (
        <p className="small dim">
          No password, or forgotten? Whoever runs this Bursar prints a one-time link with{" "}
          <code>bin/bursar member link</code>.
        </p>
      )}
    </Door>
  );
}
