/** The text of a script that calls `run` of the module; see scripts/build/inline-scripts.ts. */
declare module '*?script' {
  const script: string;
  export default script;
}
