/** Ending of the names of request files. */
export const requestExtension = '.transcription.json';

/** Glob of request files. */
export const requestGlob = `**/*${requestExtension}`;
