import { useLayoutEffect } from "react";
import { Button } from "./button.tsx";
import { Confirm } from "./dialog.tsx";
import { useLeaving } from "./leaving.ts";
import { Notice } from "./states.tsx";
import { wayBack } from "./way-back.ts";

type SaveBarProps = {
  /** The bar is shown only while something differs. */
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly problem?: string | null;
  onDiscard(): void;
};

/** The one place to save or discard a form's changes; it stays in view while there are any. */
export function SaveBar({ isChanged, isBusy, problem, onDiscard }: SaveBarProps) {
  const { isAsked, stay, leave } = useLeaving(isChanged);
  useFocusAfter(isChanged);
  if (!isChanged) return null;
  return (
    <div className="save-bar">
      {problem && <Notice look="bad">{problem}</Notice>}
      <div className="spread">
        <span role="status">Changes are not saved yet.</span>
        <div className="row">
          <Button onClick={onDiscard} disabled={isBusy}>
            Discard
          </Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            Save
          </Button>
        </div>
      </div>
      {isAsked && (
        <Confirm
          title="Leave without saving?"
          action="Discard and leave"
          cancel="Stay"
          isBusy={false}
          onConfirm={() => {
            onDiscard();
            leave();
          }}
          onClose={stay}
        >
          <p>Your changes are not saved yet. They are lost when you leave this page.</p>
        </Confirm>
      )}
    </div>
  );
}

/** The pressed button disappears with the bar: the focus goes to the heading of the card that was changed first. */
function useFocusAfter(isChanged: boolean): void {
  useLayoutEffect(() => {
    if (!isChanged) return;
    const heading = document.activeElement?.closest(".card")?.querySelector("h2");
    const comeBack = wayBack(heading ?? null);
    return () => queueMicrotask(comeBack);
  }, [isChanged]);
}
