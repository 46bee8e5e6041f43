import { it } from "vitest";
import { Random } from "../core/math/random.js";
import { ConfidenceSequence } from "./sequential.js";
import { wilsonInterval } from "./wilson.js";
import { repeatsInterval } from "./repeats-interval.js";
const out=(p:number,[l,u]:readonly [number,number])=>p<l||p>u;
it("rate", ()=>{
  for (const p of [0.5,0.9,0.99]) { const t0=Date.now(); let ever=0,wil=0; const N=2000;
  const firstAt:number[]=[];
  for(let s=0;s<N;s++){const r=new Random(s);const c=new ConfidenceSequence("rate");let S=0,a=false,b=false;let stop=0;
    for(let n=1;n<=2000;n++){const x=r.uniform()<p?1:0;S+=x;c.add(x);const iv=c.interval(); if(!a&&out(p,iv))a=true; if(!stop&&iv[1]-iv[0]<=.1)stop=n; if(!b&&out(p,wilsonInterval(S,n)!))b=true;}
    if(a)ever++; if(b)wil++; firstAt.push(stop||2001)}
  firstAt.sort((x,y)=>x-y);
  console.log("rate",p,ever/N,"wilson",wil/N,"median stop at half width .05",firstAt[N/2],Date.now()-t0,"ms")}
},600000);
it("bounded", ()=>{
  const gens:[string,number,(r:Random)=>number][]=[["unif",.5,r=>r.uniform()],["spl",.6*.8,r=>r.uniform()<.6?.6+.4*r.uniform():0],["bern.5",.5,r=>r.uniform()<.5?1:0],["low",.25,r=>r.uniform()**3],["bern.9",.9,r=>r.uniform()<.9?1:0]];
  for(const [name,mu,g] of gens){const t0=Date.now();let ever=0,wid=0;const N=1000;const firstAt:number[]=[];
  for(let s=0;s<N;s++){const r=new Random(s+7);const c=new ConfidenceSequence("bounded");let a=false,stop=0;
    for(let n=1;n<=2000;n++){c.add(g(r));const iv=c.interval();if(!a&&out(mu,iv))a=true;if(!stop&&iv[1]-iv[0]<=.1)stop=n;if(n===100)wid+=iv[1]-iv[0]}
    if(a)ever++;firstAt.push(stop||2001)}
  firstAt.sort((x,y)=>x-y);
  console.log("bounded",name,ever/N,"width at 100",wid/N,"stop .05",firstAt[N/2],Date.now()-t0,"ms")}
},600000);
it("repeats",()=>{
  const thetas:[string,number,(r:Random)=>number][]=[["beta22",.5,r=>[r.uniform(),r.uniform(),r.uniform()].sort((a,b)=>a-b)[1]!],["beta.5.5",.5,r=>Math.sin(Math.PI/2*r.uniform())**2],["beta91",.9,r=>r.uniform()**(1/9)],["det",.7,r=>r.uniform()<.7?1:0],["same",.7,_=>.7]];
  for(const [n,k] of [[40,5],[5,20],[10,5],[200,3]] as const) for(const [name,mu,th] of thetas){const N=10000;const cov=[0,0,0],w=[0,0,0];
   const r=new Random(5);
   for(let s=0;s<N;s++){const g=Array.from({length:n},()=>{const t=th(r);return Array.from({length:k},()=>r.uniform()<t?1:0)});
    const all=g.flat().reduce((a:number,b)=>a+b,0);
    const a=repeatsInterval(g,{kind:"rate",seed:1}).interval!;
    const b=wilsonInterval(all,n*k)!; const m=all/k; const q=(()=>{const z=1.959964,z2=z*z/n,p=m/n,c=(p+z2/2)/(1+z2),h=z/(1+z2)*Math.sqrt((p*(1-p)+z2/4)/n);return [c-h,c+h] as const})();
    [a,q,b].forEach((iv,i)=>{if(!out(mu,iv))cov[i]!++;w[i]!+=iv[1]-iv[0]});}
   console.log(n,k,name,"repeats/n/nk coverage",cov.map(c=>(c/N).toFixed(4)).join(" "),"width",w.map(c=>(c/N).toFixed(3)).join(" "))}
},600000);
