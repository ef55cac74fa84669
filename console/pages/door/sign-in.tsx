import { Link } from "wouter";
import type { SessionView } from "../../../gateway/src/http/console/contract.ts";
import { Door } from "./door.tsx";
import { NewLink } from "./new-link.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage({ session }: { session: SessionView }) {
  return (
    <Door title="Sign in">
      <SignInForm />
      {session.service.signUpIsOpen && (
        <p className="small dim">
          New here? <Link href="/sign-up">Create an account</Link>
        </p>
      )}
      <NewLink session={session} question="No password yet, or forgot it?" />
    </Door>
  );
}
