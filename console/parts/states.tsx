import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { AskError } from "../api/ask.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icons/icon.tsx";

type NoticeProps = { readonly look?: "plain" | "good" | "warn" | "bad"; readonly children: ReactNode };

export function Notice({ look = "plain", children }: NoticeProps) {
  const icon = look === "good" ? "circle-check" : look === "bad" ? "circle-alert" : "triangle-alert";
  return (
    <div className={`notice ${look}`} role={look === "bad" ? "alert" : "status"}>
      {look !== "plain" && <Icon name={icon} />}
      <div>{children}</div>
    </div>
  );
}

/** As high as the content will be, so that nothing jumps. */
export function Skeleton({ height, width = "100%" }: { height: number; width?: number | string }) {
  return <span className="skeleton" style={{ height, width }} aria-hidden />;
}

export function Empty({ icon, title, children }: { icon?: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      {icon}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

type AnswerProps<Data> = {
  readonly of: UseQueryResult<Data, AskError>;
  /** Shown until the first answer; should be about as high. */
  readonly waiting: ReactNode;
  /** A way on if it does not exist, or no longer. */
  readonly whenGone?: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/**
 * Shows the answer, a placeholder, or the error with a button to retry. What was deleted cannot be retried, and its
 * cached copy is not shown as if it were there.
 */
export function Answer<Data>({ of, waiting, whenGone, children }: AnswerProps<Data>) {
  const isGone = of.error?.problem.code === "not_found";
  if (of.data !== undefined && !isGone) return children(of.data);
  if (of.error) {
    return (
      <Notice look="bad">
        <div className="stack">
          <span>{of.error.message}</span>
          {isGone ? (
            whenGone && <div>{whenGone}</div>
          ) : (
            <div>
              <Button onClick={() => void of.refetch()} isBusy={of.isFetching}>
                Try again
              </Button>
            </div>
          )}
        </div>
      </Notice>
    );
  }
  return (
    <div role="status" aria-label="Loading">
      {waiting}
    </div>
  );
}
