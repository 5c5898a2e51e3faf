#include <stdarg.h>
#include <stddef.h>
typedef struct { int a; char b; double c; long double d; } S;
typedef struct __attribute__((packed)) { char a; int b; unsigned x:3, y:7; } P;
union U { int i; float f; char c[9]; };
struct Node { struct Node *next; int v; };
static int counter; extern int ext; int common_; __thread int tls; const char *msg = "hi\n\"\\\x01é";
char big[1000]; int arr[3] = {1,2,3}; int *pa = &arr[1]; long diff = (long)&arr[2]; void (*fp)(void);
static const struct { P p; float f; union U u; } st = {{1,2,3,4}, 1.5f, {7}};
__attribute__((weak)) int weakf(int x) { return x; }
__attribute__((visibility("hidden"), section(".foo"), aligned(64))) int sec = 3;
int aliasf(int) __attribute__((alias("weakf")));
float fl[4] = {0.1f, 1e30f, -0.0f, 3.0f}; double db[4]={0.1, 1.0/0.0, -1e-300, 123456.789};
long double ld = 3.14L; 
#ifdef __x86_64__
_Float16 h = 1.5f16; __bf16 bf = 1.0; _Float16 hf(_Float16 a) { return a + 1; } _BitInt(200) bb(_BitInt(200) a) { return a*3; }
#endif
 __int128 i128 = ((__int128)1<<100); _BitInt(37) bi = 5wb; _Complex double cx = 1.0+2.0i;
typedef float v4 __attribute__((vector_size(16))); typedef int i4 __attribute__((vector_size(16)));
v4 vadd(v4 a, v4 b) { v4 r = a + b; r[2] = 3; return __builtin_shufflevector(r, b, 0, 5, 2, 7) * 2.0f; }
i4 vc(i4 a, i4 b) { return a < b; }
int sum(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); S z = va_arg(aq, S); va_end(ap); va_end(aq); return s + z.a; }
S mk(S s, P p) { s.a += p.y; return s; }
int sw(int x) { switch (x) { case 1: return 5; case -2: return 7; case 100: x++; default: return x; } }
int gotos(int x) { static void *t[] = {&&a, &&b}; goto *t[x&1]; a: return 1; b: return 2; }
int asmf(int x) { int y; __asm__ volatile("nop # %0" : "=r"(y) : "r"(x) : "memory"); return y; }
int atom(_Atomic int *p, int *q) { int e = 1; (*p)++; __atomic_fetch_nand(q, 3, __ATOMIC_ACQUIRE); __atomic_thread_fence(__ATOMIC_SEQ_CST); return __atomic_compare_exchange_n(q, &e, 2, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) + __atomic_load_n(q, __ATOMIC_ACQUIRE); }
int vla(int n) { int a[n]; for (int i=0;i<n;i++) a[i]=i; return a[n-1]; }
volatile int vol; int volf(void) { vol = 3; return vol; }
double fm(double a, float b, int i, unsigned u, long l) { return a*b + i/ (double)u + (long)a % (l|1) + (a<b ? -a : b) + __builtin_sqrt(a) + (_Bool)i; }
struct Node *rev(struct Node *n) { struct Node *p = 0; while (n) { struct Node *t = n->next; n->next = p; p = n; n = t; } return p; }
int callfp(int (*f)(int, S *), S *s) { return f(3, s) + ({ int q = 4; q; }); }
void mm(void) { S s = {0}, t; __builtin_memcpy(&t, &s, sizeof s); char buf[32] = "abc"; ext = buf[3] + st.p.b; __builtin_trap(); }
__int128 mul(__int128 a, __int128 b) { return a*b; }
_Noreturn void die(void); int loop(int n) { int s=0; 
#pragma clang loop unroll(disable)
for(;;) { if (s>n) die(); s+=n; if (__builtin_expect(s==7,0)) break; } return s; }
inline int inl(int x) { return x*2; } extern int inl(int); static inline int sinl(int x) { int k = x+1; return k*k; } int usei(int y) { return inl(y)+sinl(y); }
long double ldf(long double a) { return a*2; }
enum E { A, B=7 }; enum E ef(enum E e) { return e == B ? A : B; }
int asmg(int x) { __asm__ goto("# %l1" : : "r"(x) : : lab); return 1; lab: return 2; }
