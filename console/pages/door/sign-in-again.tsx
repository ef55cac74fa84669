import { useId } from "react";
import type { SessionView } from "../../../gateway/src/http/console/contract.ts";
import { Modal } from "../../parts/modal.tsx";
import { NewLink } from "./new-link.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/**
 * Covers the page of a user who was signed out, until they are signed in again by this form or in another tab. Nobody
 * can read the page meanwhile.
 */
export function SignInAgain({ session, email }: { session: SessionView; email: string }) {
  const id = useId();
  return (
    <Modal
      className="dialog curtain"
      aria-labelledby={id}
      focusFirst="[type=password]"
      isHeld
      onClose={() => {}}
    >
      <div className="dialog-head">
        <h2 id={id}>You were signed out</h2>
      </div>
      <div className="dialog-body stack">
        <p>Sign in to continue. What you were doing is still here.</p>
        <SignInForm email={email} />
        <NewLink session={session} question="No password yet, or forgot it?" isAside />
      </div>
    </Modal>
  );
}
