import { useState } from "react";

/**
 * What was found, for who cannot see it change: told once for each question, not whenever more of the same has come.
 * Without words it waits for them.
 */
export function Told({ question, words }: { question: string; words: string | undefined }) {
  const [told, setTold] = useState({ question: "", words: "" });
  if (words !== undefined && told.question !== question) setTold({ question, words });
  return (
    <p role="status" className="visually-hidden">
      {told.words}
    </p>
  );
}
