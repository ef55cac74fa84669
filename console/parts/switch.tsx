type SwitchProps = {
  /** Accessible name. */
  readonly name: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  onSwitch(isOn: boolean): void;
};

export function Switch({ name, isOn, isDisabled = false, onSwitch }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={name}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onSwitch(!isOn)}
    />
  );
}
