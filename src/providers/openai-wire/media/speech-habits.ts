/** How one server is asked to speak. */
export type SpeechHabits = {
  readonly format: "mp3" | "wav";
  /** Said where the caller names no voice; null leaves it out, for servers that have a voice of their own. */
  readonly defaultVoice: string | null;
};

export const MP3_SPEECH: SpeechHabits = Object.freeze({ format: "mp3", defaultVoice: null });
export const OPENAI_SPEECH: SpeechHabits = Object.freeze({ format: "mp3", defaultVoice: "alloy" });
/** Refuses every other format. */
export const WAV_SPEECH: SpeechHabits = Object.freeze({ format: "wav", defaultVoice: null });
