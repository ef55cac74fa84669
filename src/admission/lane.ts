/** Of all admissions, which follow each other. */
export const ADMIT_LANE = "admit";
