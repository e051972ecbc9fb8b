import time,sys; t0=time.time(); c0=time.process_time()
def lap(n):
    global t0,c0; print(f"{n}: {time.time()-t0:.2f} cpu {time.process_time()-c0:.2f}", file=sys.stderr); t0=time.time(); c0=time.process_time()
from pipeline.storage import open_run; s=open_run(sys.argv[1]); lap('open')
from pipeline.report import write; lap('import write')
m=write.summarize(s); lap('summarize')
m=write.report(s); lap('report with writes')
from pipeline.report import page as P; lap('import page')
g=P.all_sections(s,m)
while True:
    x=next(g,None)
    if x is None: break
    lap(x.title)
p=P.make_page(s,m); lap('make_page whole')
for n,v in p.charts.items(): s.files.write(f"report/charts/{n}.svg", v.encode())
lap('write svgs')
