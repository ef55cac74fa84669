import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import type { AskError } from "../api/ask.ts";

type Frame = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Error message, shown beside the field and read out. */
  readonly problem?: string | undefined;
};

/** The error message for this field, if the gateway named it. */
export function problemOf(error: AskError | null, field: string): string | undefined {
  return error?.problem.field === field ? error.problem.message : undefined;
}

/** An error of the gateway that names no field of this form. */
export function otherProblem(error: AskError | null, fields: readonly string[]): string | null {
  if (!error) return null;
  return error.problem.field !== undefined && fields.includes(error.problem.field)
    ? null
    : error.problem.message;
}

function useFrame({ label, hint, problem }: Frame) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  return {
    control: {
      id,
      className: "input",
      "aria-invalid": problem ? true : undefined,
      "aria-describedby": described || undefined,
    } as const,
    frame: (control: ReactNode) => (
      <div className="field">
        <label htmlFor={id}>{label}</label>
        {control}
        {hint && (
          <span className="hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
        {problem && (
          <span className="problem" id={`${id}-problem`} role="alert">
            {problem}
          </span>
        )}
      </div>
    ),
  };
}

export function TextField({ label, hint, problem, ...rest }: Frame & InputHTMLAttributes<HTMLInputElement>) {
  const { control, frame } = useFrame({ label, hint, problem });
  return frame(<input dir="auto" {...rest} {...control} />);
}

export function TextArea({
  label,
  hint,
  problem,
  ...rest
}: Frame & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { control, frame } = useFrame({ label, hint, problem });
  return frame(<textarea dir="auto" {...rest} {...control} />);
}

export function SelectField({
  label,
  hint,
  problem,
  ...rest
}: Frame & SelectHTMLAttributes<HTMLSelectElement>) {
  const { control, frame } = useFrame({ label, hint, problem });
  return frame(<select {...rest} {...control} />);
}
