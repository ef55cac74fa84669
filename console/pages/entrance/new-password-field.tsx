import type { AskError } from "../../api/ask.ts";
import { problemOf, TextField } from "../../parts/field.tsx";

type NewPasswordFieldProps = {
  readonly label?: string;
  readonly value: string;
  readonly error: AskError | null;
  onChange(value: string): void;
};

export function NewPasswordField({ label = "New password", value, error, onChange }: NewPasswordFieldProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      required
      minLength={10}
      maxLength={128}
      hint="At least 10 characters. A few words you can remember work well."
      problem={problemOf(error, "password")}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
