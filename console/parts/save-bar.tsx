import { Button } from "./button.tsx";
import { Notice } from "./states.tsx";

export type SaveBarProps = {
  /** Nothing is shown before something differs. */
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly problem?: string | null;
  onDiscard(): void;
};

/** The one place of a form where changes are kept or dropped; it stays in sight while there are any. */
export function SaveBar({ isChanged, isBusy, problem, onDiscard }: SaveBarProps) {
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
    </div>
  );
}
