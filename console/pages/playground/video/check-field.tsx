type CheckFieldProps = {
  readonly label: string;
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
};

export function CheckField({ label, isOn, onChange }: CheckFieldProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
