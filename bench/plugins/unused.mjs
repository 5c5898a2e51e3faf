// Hooks that nothing is compiled in for.
export default { name: 'unused', hooks: { start: () => {}, end: () => {} } };
