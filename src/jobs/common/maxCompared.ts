/** Maximum number of jobs that are compared side by side: more columns cannot be read. */
export const maxCompared = 10;
