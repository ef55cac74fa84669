import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./states.tsx";

export type BoundaryProps = {
  /** Shown in the place of what failed. */
  readonly instead: ReactNode;
  /** Another one is something else to show, with a chance of its own. */
  readonly of?: string;
  readonly children: ReactNode;
};
type State = { readonly hasFailed: boolean; readonly of: string | undefined };

/** What cannot be shown takes nothing else with it: React would empty the whole document. Only a class can be one. */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { hasFailed: false, of: this.props.of };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: State): State | null {
    return of === state.of ? null : { hasFailed: false, of };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}

/** Mostly a tab that is older than the gateway: what it had not loaded yet has another name by now. */
export function NotLoaded({ what }: { what: string }) {
  return (
    <Notice look="bad">
      <div className="stack">
        <span>
          <strong>{what} could not be loaded.</strong> Bursar may have been updated since you opened this tab.
          Reload to go on.
        </span>
        <div>
          <Button onClick={() => location.reload()}>Reload</Button>
        </div>
      </div>
    </Notice>
  );
}
