# Builds the program and runs its two tests.
cd "$(dirname "$0")" && out=$(mktemp -d) || exit 1
$CC -O2 -c stack.c -o "$out/stack.o" && ar rcs "$out/libstack.a" "$out/stack.o" || exit 1
$CC -O2 main.c -o "$out/sum" -L"$out" -lstack || exit 1
[ "$("$out/sum" 1 2 3)" = 6 ] && echo "PASS: three numbers"
[ "$("$out/sum" 1 2 3 4)" = 10 ] && echo "PASS: four numbers" || echo "FAIL: four numbers"
rm -r "$out"
