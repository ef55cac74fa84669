import { Component, type ReactNode, useEffect } from "react";
import { UNREACHABLE } from "../api/ask.ts";
import { Button } from "./button.tsx";
import { gatewayAnswers } from "./gateway-code.ts";
import { LoadError } from "./load-later.tsx";
import { Notice } from "./states.tsx";

type Failure = {
  readonly error: unknown;
  tryAgain(): void;
};

type BoundaryProps = {
  /** Shown instead of what failed. */
  instead(failure: Failure): ReactNode;
  /** If it changes, something else is shown, and the failure is forgotten. */
  readonly of?: string;
  readonly children: ReactNode;
};
type State = { readonly failed: { readonly error: unknown } | null; readonly of: string | undefined };

/** Error boundary: without it React would empty the whole document. Only a class component can be one. */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { failed: null, of: this.props.of };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: State): State | null {
    return of === state.of ? null : { failed: null, of };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (failed === null) return this.props.children;
    return this.props.instead({ ...failed, tryAgain: () => this.setState({ failed: null }) });
  }
}

/** A gateway that restarts needs a few seconds, and does not announce when it is back. */
const ASK_EVERY_MS = 5_000;

const WORDS: Readonly<Record<LoadError["reason"], string>> = {
  unreachable: UNREACHABLE.message,
  lost: "The connection was lost. Reload to continue.",
  gone: "Bursar may have been updated since you opened this tab. Reload to continue.",
};

/**
 * The gateway does not answer, the code was lost on its way, or this tab is older than the gateway, whose files have
 * other names by now. Any other error is a fault in this page itself.
 */
export function NotLoaded({ what, error, tryAgain }: Failure & { readonly what: string }) {
  const isLoad = error instanceof LoadError;
  const isUnreachable = isLoad && error.reason === "unreachable";
  useEffect(() => {
    if (!isUnreachable) return;
    const timer = setInterval(async () => {
      if (await gatewayAnswers()) tryAgain();
    }, ASK_EVERY_MS);
    window.addEventListener("online", tryAgain);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", tryAgain);
    };
  }, [isUnreachable, tryAgain]);
  return (
    <Notice look="bad">
      <div className="stack">
        <span>
          <strong>
            {what} could not be {isLoad ? "loaded" : "shown"}.
          </strong>{" "}
          {isLoad ? WORDS[error.reason] : "Something went wrong in your browser. Reload to continue."}
        </span>
        <div>
          {isUnreachable ? (
            <Button onClick={tryAgain}>Try again</Button>
          ) : (
            <Button onClick={() => location.reload()}>Reload</Button>
          )}
        </div>
      </div>
    </Notice>
  );
}
