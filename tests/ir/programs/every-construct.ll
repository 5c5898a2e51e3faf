; Every construct that the reader knows, in a module that clang accepts.
source_filename = "every.c"
target datalayout = "e-m:e-p:64:64-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
target triple = "wasm64-unknown-unknown"

module asm ".globl nothing"
module asm "# a \22quoted\22 line"

%struct.pair = type { i32, ptr }
%struct.packed = type <{ i8, i64 }>
%struct.opaque = type opaque
%"struct.odd name" = type { %struct.pair, [2 x %struct.packed] }
%0 = type { i8 }

$shared = comdat any

@integer = global i32 -7, align 4
@wide = hidden local_unnamed_addr constant i128 u0xFFFFFFFFFFFFFFFFFFFF, align 16
@bits = internal global i37 -1
@truth = private unnamed_addr constant i1 true
@text = private unnamed_addr constant [5 x i8] c"a\22\5C\00\FF", align 1
@"odd name" = weak global ptr @integer, section "named", align 8
@shared = linkonce_odr global i8 0, comdat
@thread = thread_local(localexec) global i32 0
@declared = external global %struct.opaque
@weakly = extern_weak global i32
@common = common global [4 x i32] zeroinitializer, align 16
@other.space = external addrspace(1) global i32
@floats = global [5 x float] [float 1.500000e+00, float 0x3FB99999A0000000, float 0x7FF8000000000000, float -0.000000e+00, float 0x36A0000000000000]
@doubles = global { double, double } { double 0x3FB999999999999A, double 1.000000e-01 }
@quad = global fp128 0xL00000000000000003FFF000000000000
@halves = global [2 x half] [half 0xH3C00, half 1.5]
@brain = global bfloat 0xR3F80
@vector = global <4 x i32> <i32 1, i32 2, i32 3, i32 undef>
@splat = global <4 x i32> splat (i32 9)
@nested = global %"struct.odd name" { %struct.pair { i32 1, ptr null }, [2 x %struct.packed] [%struct.packed <{ i8 1, i64 2 }>, %struct.packed zeroinitializer] }
@unnamed.type = global %0 { i8 1 }
@0 = private constant i8 42
@address = global ptr getelementptr inbounds nuw (%struct.pair, ptr @nested, i64 0, i32 1)
@difference = global i64 sub (i64 ptrtoint (ptr @common to i64), i64 ptrtoint (ptr @integer to i64))
@backwards = global ptr inttoptr (i64 4096 to ptr)
@table = global [2 x ptr] [ptr blockaddress(@jumps, %one), ptr blockaddress(@jumps, %two)]
@numbered = global ptr @0, !note !0
@undefined = global { i32, i32 } { i32 undef, i32 poison }
@hidden.sanitizer = global i32 0, no_sanitize_address, align 4 #3

@other = alias i32, ptr @integer
@inside = alias ptr, getelementptr inbounds (i8, ptr @nested, i64 8)
@elsewhere = weak alias i8, inttoptr (i64 4096 to ptr)
@resolved = weak ifunc void (), ptr @resolver

declare !note !0 void @external(ptr noundef readonly captures(none), ...) #0
declare i32 @llvm.read_register.i32(metadata)
declare void @llvm.assume(i1 noundef)
declare float @llvm.sqrt.f32(float)
declare void @by.value(ptr byval(%struct.pair) align 8, ptr sret(%struct.pair) align 8)

define ptr @resolver() {
  ret ptr null
}

define hidden fastcc noundef i32 @arithmetic(i32 noundef %a, i32 range(i32 0, 10) %b, float %f, double %d) unnamed_addr #1 align 16 !dbg !10 {
entry:
    #dbg_value(i32 %a, !14, !DIExpression(), !15)
  %sum = add nuw nsw i32 %a, %b, !dbg !15
    #dbg_value(!DIArgList(i32 %a, i32 %sum), !14, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !15)
  %difference = sub i32 %sum, -5
  %product = mul nsw i32 %difference, 3
  %quotient = sdiv exact i32 %product, 2
  %unsigned = udiv i32 %quotient, 7
  %remainder = srem i32 %unsigned, 11
  %modulo = urem i32 %remainder, 13
  %left = shl nuw i32 %modulo, 1
  %right = lshr exact i32 %left, 1
  %signed = ashr i32 %right, 2
  %both = and i32 %signed, 255
  %either = or disjoint i32 %both, 256
  %flipped = xor i32 %either, -1
  %frozen = freeze i32 %flipped
  %fsum = fadd reassoc nnan float %f, 1.000000e+00
  %fdiff = fsub fast float %fsum, %f
  %fprod = fmul contract afn float %fdiff, 2.000000e+00
  %fquot = fdiv arcp nsz float %fprod, 3.000000e+00
  %frem = frem ninf float %fquot, 4.000000e+00
  %negative = fneg float %frem
  %root = call nnan float @llvm.sqrt.f32(float %negative)
  %narrow = trunc nsw i32 %frozen to i8
  %zero = zext nneg i8 %narrow to i64
  %sign = sext i8 %narrow to i64
  %f2 = fptrunc double %d to float
  %d2 = fpext float %root to double
  %u = fptoui double %d2 to i32
  %s = fptosi float %f2 to i32
  %fu = uitofp nneg i32 %u to float
  %fs = sitofp i32 %s to double
  %raw = bitcast double %fs to i64
  %made = inttoptr i64 %raw to ptr
  %number = ptrtoint ptr %made to i64
  %less = icmp samesign ult i64 %number, %zero
  %ordered = fcmp ninf olt float %fu, %f
  %chosen = select i1 %less, i32 %u, i32 %s
  %condition = and i1 %less, %ordered
  call void @llvm.assume(i1 true) [ "align"(ptr %made, i64 8), "ignore"() ]
  %wide = add i64 %sign, 1
  %0 = trunc i64 %wide to i32
  %1 = add i32 %chosen, %0
  ret i32 %1
}

define internal void @memory(ptr %p, i32 %n, ...) #2 {
  %1 = alloca i32, align 4
  %array = alloca [4 x i32], i32 %n, align 16
  call void @llvm.lifetime.start.p0(ptr %1)
  store i32 7, ptr %1, align 4, !note !1
  %2 = load i32, ptr %1, align 4
  store volatile i32 %2, ptr %p, align 4
  %3 = load volatile i32, ptr %p
  store atomic i32 %3, ptr %p release, align 4
  %4 = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  fence syncscope("singlethread") seq_cst
  fence acq_rel
  %5 = cmpxchg weak ptr %p, i32 %4, i32 1 acq_rel monotonic, align 4
  %6 = extractvalue { i32, i1 } %5, 0
  %7 = insertvalue { i32, i1 } %5, i32 %6, 0
  %8 = atomicrmw umax ptr %p, i32 3 monotonic, align 4
  %9 = atomicrmw volatile nand ptr %p, i32 3 seq_cst
  %10 = getelementptr inbounds %struct.pair, ptr %p, i64 0, i32 1
  %11 = getelementptr nuw i8, ptr %10, i64 4
  %12 = va_arg ptr %10, i32
  tail call void (ptr, ...) @external(ptr noundef nonnull %11, i32 %12) #4
  call void @by.value(ptr byval(%struct.pair) align 8 %p, ptr sret(%struct.pair) align 8 %p)
  %13 = call i32 %p(i32 1)
  %14 = call i32 asm sideeffect "nop # $0 \22", "=r,r,~{memory}"(i32 %13) #4, !srcloc !2
  %15 = call i32 @llvm.read_register.i32(metadata !3)
  call void @llvm.lifetime.end.p0(ptr %1)
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none))
declare void @llvm.lifetime.end.p0(ptr captures(none))

define <4 x float> @vectors(<4 x float> %a, <4 x i32> %i) {
  %one = extractelement <4 x float> %a, i64 1
  %set = insertelement <4 x float> poison, float %one, i32 0
  %mixed = shufflevector <4 x float> %set, <4 x float> %a, <4 x i32> <i32 0, i32 4, i32 poison, i32 1>
  %mask = icmp eq <4 x i32> %i, splat (i32 3)
  %picked = select <4 x i1> %mask, <4 x float> %mixed, <4 x float> zeroinitializer
  ret <4 x float> %picked
}

define i32 @loop(i32 %n) !dbg !20 {
entry:
  %x = alloca i32, align 4
    #dbg_declare(ptr %x, !21, !DIExpression(), !22)
  br label %head

head:                                             ; preds = %body, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %done = icmp sge i32 %i, %n, !dbg !22
  br i1 %done, label %exit, label %body, !dbg !22, !prof !4

body:
  %next = add i32 %i, 1
  br label %head, !llvm.loop !5

exit:
    #dbg_label(!24, !22)
  switch i32 %i, label %other [
    i32 0, label %zero
    i32 -1, label %zero
  ]

zero:
  ret i32 0

other:
  unreachable
}

define i32 @jumps(ptr %to, i32 %x) {
  indirectbr ptr %to, [label %one, label %two]

one:
  ret i32 1

two:
  ret i32 2
}

attributes #0 = { nounwind memory(argmem: read) "target-cpu"="generic" }
attributes #1 = { nounwind noinline allocsize(0,1) alignstack=16 "no-trapping-math"="true" "flag" }
attributes #2 = { nounwind uwtable }
attributes #3 = { "bss-section"="x" }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!6}
!llvm.module.flags = !{!8, !9}

!0 = !{!"note", i32 7, ptr @integer, null, !{!"inside"}}
!1 = !{!3, !3, i64 0}
!2 = !{i64 12}
!3 = !{!"name \22\00"}
!4 = !{!"branch_weights", i32 1, i32 2000}
!5 = distinct !{!5, !{!"llvm.loop.mustprogress"}}
!6 = distinct !DICompileUnit(language: DW_LANG_C11, file: !7, producer: "clang \22!5\22", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!7 = !DIFile(filename: "every.c", directory: "/", checksumkind: CSK_MD5, checksum: "d41d8cd98f00b204e9800998ecf8427e")
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = !{i32 7, !"Dwarf Version", i32 4}
!10 = distinct !DISubprogram(name: "arithmetic", scope: !7, file: !7, line: 1, type: !11, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !13)
!11 = !DISubroutineType(types: !12)
!12 = !{!16, !16}
!13 = !{!14}
!14 = !DILocalVariable(name: "a", arg: 1, scope: !10, file: !7, line: 1, type: !16)
!15 = !DILocation(line: 1, column: 5, scope: !10)
!16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = distinct !DISubprogram(name: "loop", scope: !7, file: !7, line: 9, type: !11, scopeLine: 9, spFlags: DISPFlagDefinition, unit: !6, retainedNodes: !23)
!21 = !DILocalVariable(name: "x", scope: !25, file: !7, line: 10, type: !16)
!22 = !DILocation(line: 11, column: 7, scope: !25, inlinedAt: !26)
!23 = !{}
!24 = !DILabel(scope: !25, name: "again", file: !7, line: 12, column: 1)
!25 = distinct !DILexicalBlock(scope: !10, file: !7, line: 9, column: 3)
!26 = distinct !DILocation(line: 20, column: 2, scope: !20)
