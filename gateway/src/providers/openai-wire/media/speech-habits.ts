/** How one server is asked for speech. */
export type SpeechHabits = {
  readonly format: "mp3" | "wav";
  /** Sent if the caller names no voice; null leaves the field out, for servers that have a default. */
  readonly defaultVoice: string | null;
  /** Reads the lines of several voices in one call, from a field of its own. */
  readonly takesLines?: boolean;
};

export const MP3_SPEECH: SpeechHabits = Object.freeze({ format: "mp3", defaultVoice: null });
export const OPENAI_SPEECH: SpeechHabits = Object.freeze({ format: "mp3", defaultVoice: "alloy" });
/** For servers that refuse every other format. */
export const WAV_SPEECH: SpeechHabits = Object.freeze({ format: "wav", defaultVoice: null });
