import { useState } from "react";
import { Segments } from "../parts/segments.tsx";
import { chooseTheme, chosenTheme, type ThemeChoice } from "./theme.ts";

const CHOICES: readonly { value: ThemeChoice; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "Auto" },
];

export function ThemeSwitch() {
  const [choice, setChoice] = useState(chosenTheme);
  return (
    <Segments
      name="Colours"
      value={choice}
      choices={CHOICES}
      onChoose={(next) => {
        chooseTheme(next);
        setChoice(next);
      }}
    />
  );
}
