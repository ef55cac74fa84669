import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useShownOnce } from "../shown-once.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icons/icon.tsx";
import { useLeaving } from "./leaving.ts";
import { Modal } from "./modal.tsx";

type DialogProps = {
  readonly title: string;
  readonly isWide?: boolean;
  /** The answer will be shown only here, so the dialog cannot be closed before it comes. */
  readonly isBusy?: boolean;
  /** Shown before the dialog closes, if its content is shown only once and was not copied yet. */
  readonly lastWords?: string | null;
  onClose(): void;
  readonly children: ReactNode;
};

/** Far longer than a command takes. A connection that died silently may never report it. */
const LONGEST_AWAITED_MS = 60_000;

const FIELDS = ":is(input, select, textarea)";

export function Dialog(props: DialogProps) {
  const { isWide = false, isBusy = false, lastWords = null, onClose, children } = props;
  const id = useId();
  const [isClosing, setClosing] = useState(false);
  // There is nothing to ask about before the answer: a user who navigates back meanwhile stays, and sees it come.
  const isAwaited = useAwaited(isBusy);
  useLeaving(isAwaited);
  const leaving = useLeaving(lastWords !== null);
  useShownOnce(isAwaited || lastWords !== null);
  const isAsking = isClosing || leaving.isAsked;
  const title = isAsking ? "Close without copying?" : props.title;
  const heading = useFocusedHeading(title);
  function close(): void {
    if (isBusy) return;
    if (isAsking || lastWords !== null) setClosing(!isAsking);
    else onClose();
    leaving.stay();
  }
  return (
    <Modal
      className={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      // The browser would focus the close button first, but a user who opens a form wants to type.
      focusFirst={`.dialog-body ${FIELDS}`}
      isHeld={isBusy || lastWords !== null}
      onClose={close}
    >
      <div className="dialog-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button look="quiet" isIconOnly icon={<Icon name="x" />} disabled={isBusy} onClick={close}>
          {isAsking ? "Go back" : "Close"}
        </Button>
      </div>
      <div className="dialog-body">
        {isAsking && (
          <div className="form">
            <p>{lastWords}</p>
            <div className="form-actions">
              <Button onClick={leaving.isAsked ? leaving.leave : onClose}>Close anyway</Button>
              <Button look="primary" onClick={close}>
                Keep it open
              </Button>
            </div>
          </div>
        )}
        <div hidden={isAsking}>{children}</div>
      </div>
    </Modal>
  );
}

/** True until the action ends, or takes so long that nothing can be expected of it any more. */
function useAwaited(isBusy: boolean): boolean {
  const [isGivenUp, setGivenUp] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setGivenUp(true), LONGEST_AWAITED_MS);
    return () => {
      clearTimeout(timer);
      setGivenUp(false);
    };
  }, [isBusy]);
  return isBusy && !isGivenUp;
}

/**
 * If there is no field to type in, and whenever the title changes: the pressed button is gone then, and a second Enter
 * must not press the close button.
 */
function useFocusedHeading(title: string) {
  const ref = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (shown.current === title) return;
    shown.current = title;
    const isTyping = document.activeElement?.matches(`.dialog-body ${FIELDS}`);
    if (!isTyping) ref.current?.focus();
  }, [title]);
  return ref;
}

type ConfirmProps = {
  readonly title: string;
  readonly action: string;
  readonly cancel?: string;
  readonly isBusy: boolean;
  readonly problem?: string | null;
  onConfirm(): void;
  onClose(): void;
  readonly children: ReactNode;
};

/** For actions that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, action, cancel = "Cancel", isBusy, problem, onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        <div>{children}</div>
        {problem && (
          <p role="alert" className="notice bad">
            {problem}
          </p>
        )}
        <div className="form-actions">
          <Button onClick={onClose}>{cancel}</Button>
          <Button look="danger" onClick={onConfirm} isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
