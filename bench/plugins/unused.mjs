// Hooks for which no code is compiled in.
export default { name: 'unused', hooks: { start: () => {}, end: () => {} } };
